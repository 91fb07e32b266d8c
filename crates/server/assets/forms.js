// Files can be dropped on a form, and saying "right" or "wrong" of a finding leaves the page as it is.

for (const form of document.querySelectorAll("form[data-drop]")) {
  const file = form.querySelector("input[type=file]");
  const over = (event, on) => {
    event.preventDefault();
    form.classList.toggle("over", on);
  };
  form.addEventListener("dragover", (event) => over(event, true));
  form.addEventListener("dragleave", (event) => over(event, false));
  form.addEventListener("drop", (event) => {
    over(event, false);
    if (event.dataTransfer.files.length === 0) return;
    file.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}

for (const form of document.querySelectorAll("form[data-stays]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = new URLSearchParams(new FormData(form, event.submitter));
    const answer = await fetch(form.action, { method: "POST", body: said }).catch(() => null);
    const words = document.createElement("span");
    words.setAttribute("role", "status");
    words.textContent = answer?.ok ? "Kept, thank you." : "It could not be kept; try again.";
    form.querySelector("[role=status]")?.remove();
    form.append(words);
  });
}
