// Keeps the page of a debate up to date, and moves it through time. The server alone draws: when
// something happened, the page is asked for again, and the parts that are new are put in.

const controls = document.querySelector(".controls");
const drawn = new Map();
for (const part of document.querySelectorAll("[data-part]")) drawn.set(part.id, part.outerHTML);

function put(page) {
  let before = null;
  const seen = new Set();
  for (const part of page.querySelectorAll("[data-part]")) {
    const html = part.outerHTML;
    const old = document.getElementById(part.id);
    seen.add(part.id);
    if (old && drawn.get(part.id) === html) {
      before = old;
      continue;
    }
    const added = document.adoptNode(part);
    if (old) {
      const open = [...old.querySelectorAll("details")].map((one) => one.open);
      added.querySelectorAll("details").forEach((one, at) => (one.open = open[at] ?? one.open));
      const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
      old.replaceWith(added);
      if (focused) document.getElementById(focused)?.focus();
    } else {
      added.classList.add("fresh");
      before ? before.after(added) : document.querySelector("main").prepend(added);
    }
    drawn.set(added.id, html);
    before = added;
  }
  for (const id of [...drawn.keys()].filter((id) => !seen.has(id))) {
    document.getElementById(id)?.remove();
    drawn.delete(id);
  }
  document.title = page.title;
}

async function load(address) {
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (!answer.ok) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// One request at a time; what happens meanwhile is shown by the next.
let busy = false;
let wanted = null;
async function show(address) {
  wanted = address;
  if (busy) return;
  busy = true;
  while (wanted) {
    const next = wanted;
    wanted = null;
    const page = await load(next).catch(() => null);
    if (page) take(page);
    await new Promise((done) => setTimeout(done, 150));
  }
  busy = false;
}

function take(page) {
  const theirs = page.querySelector(".controls");
  const slider = document.querySelector("#at");
  const followed = slider && slider.value === slider.max;
  put(page);
  if (!slider || !theirs) return;
  slider.max = theirs.dataset.last;
  document.querySelector("#last").textContent = theirs.dataset.last;
  if (followed && !page.querySelector("[data-earlier]")) slider.value = slider.max;
  document.querySelector("output[for=at]").value = slider.value;
}

if (controls) {
  const slider = document.querySelector("#at");
  const here = location.pathname;
  const at = () => (slider.value === slider.max ? here : `${here}?at=${slider.value}`);
  slider.addEventListener("input", () => {
    document.querySelector("output[for=at]").value = slider.value;
    history.replaceState(null, "", at());
    show(at());
  });
  document.querySelector(".slider button").hidden = true;
  if (controls.dataset.live === "true") {
    const events = new EventSource(`${controls.dataset.events}?after=${controls.dataset.last}`);
    const moved = () => { if (slider.value === slider.max) show(here); };
    events.onmessage = moved;
    for (const kind of controls.dataset.kinds.split(" ")) events.addEventListener(kind, moved);
    events.addEventListener("end", () => { events.close(); show(here); });
  }
}
