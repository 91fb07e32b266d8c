"""A real client of the Model Context Protocol, which goes through everything `rebuttal mcp` offers.

    client.py stdio PROGRAM ARGUMENT...     starts the server itself
    client.py http URL                      finds it there

Ends with 0 if all is as it should be; else the assertion says what is not.
"""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters, stdio_client

TOOLS = {
    "debate_start", "debate_status", "debate_result", "debate_resume", "debate_stop",
    "breakpoint_answer", "audit_text", "check_rubric", "find_contradictions", "compare",
    "agent_consistency", "flips",
}
FLIP = "user: Should we ship it?\nann: Yes, we should ship it.\nann: No, we should not ship it.\n"
QUESTION = "Should we migrate to Kubernetes?"


async def call(client, tool, **arguments):
    """The document a tool answers with."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    document = result.structured_content
    assert document == json.loads(result.content[0].text), "the text says the same"
    return document


async def refused(client, tool, **arguments):
    """Why a tool does not answer: never an exception, never a broken connection."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result
    error = result.structured_content["error"]
    assert error["message"] and isinstance(error["retryable"], bool), error
    return error


async def lists(client):
    tools = (await client.list_tools()).tools
    assert {tool.name for tool in tools} == TOOLS, tools
    for tool in tools:
        assert tool.description and tool.input_schema["type"] == "object", tool
    hints = {tool.name: tool.annotations for tool in tools}
    assert hints["audit_text"].read_only_hint and hints["debate_start"].open_world_hint
    assert hints["debate_stop"].destructive_hint
    prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
    assert set(prompts) == {"decide", "red_team", "fact_check", "trade", "audit"}, prompts
    prompt = await client.get_prompt("decide", {"question": QUESTION})
    assert QUESTION in prompt.messages[0].content.text, prompt
    for name, given in [("decide", {}), ("no-such", {})]:
        try:
            await client.get_prompt(name, given)
        except MCPError as error:
            assert error.error.data["error"]["code"] == "invalid_arguments", error
        else:
            raise AssertionError(f"{name} {given} has a prompt")
    templates = (await client.list_resource_templates()).resource_templates
    assert [template.name for template in templates] == ["debate", "report"], templates


async def reading(client):
    found = await call(client, "audit_text", text=FLIP, method="rules")
    assert found["findings"][0]["rule"] == "self-contradiction/silent", found
    assert found["findings"][0]["quotes"][0]["text"], found
    messages = [{"role": "user", "content": "Should we ship it?"},
                {"role": "assistant", "content": "Yes, we should ship it."},
                {"role": "assistant", "content": "No, we should not ship it."}]
    found = await call(client, "audit_text", messages=messages, limit=0)
    assert (found["findings"], found["findings_left_out"]) == ([], 1), found
    answer = await call(client, "check_rubric", messages=messages)
    assert answer["conversations"][0]["contradiction"] == "yes", answer
    pair = await call(client, "compare", a="The cache is safe.", b="The cache is not safe.")
    assert pair["verdict"] == "contradiction", pair
    reports = [{"agent": "a", "text": "Unemployment in Qatar was 4 % in 2024."},
               {"agent": "b", "text": "Unemployment in Qatar was 9 % in 2024."}]
    found = await call(client, "find_contradictions", reports=reports)
    assert found["debate_results"]["contradictions_found"] == 1, found
    assert len(found["resolutions"]) == 1, found


async def bad_input(client):
    assert (await refused(client, "audit_txt", text=FLIP))["code"] == "unknown_tool"
    error = await refused(client, "audit_text", txt=FLIP)
    assert (error["code"], error["hint"]) == ("invalid_arguments", "did you mean text?"), error
    for arguments in [{}, {"text": FLIP, "messages": []}, {"text": 7},
                      {"text": FLIP, "method": "guess"}, {"text": FLIP, "from": "word"}]:
        error = await refused(client, "audit_text", **arguments)
        assert error["code"] == "invalid_arguments", (arguments, error)
    assert (await refused(client, "audit_text", text=""))["code"] == "text"
    assert (await refused(client, "audit_text", text="x" * (4 << 20) + "y"))["code"] == "text"
    assert (await refused(client, "compare", a="", b="It is safe."))["code"] == "text"
    one = [{"agent": "a", "text": "It is 4 %."}]
    assert (await refused(client, "find_contradictions", reports=one))["code"] == "invalid_arguments"
    for tool in ["debate_status", "debate_result", "debate_resume", "debate_stop"]:
        assert (await refused(client, tool, debate="d-none"))["code"] == "not_found", tool
    error = await refused(client, "breakpoint_answer", debate="d-none", answer="continue")
    assert error["code"] == "not_found", error
    assert (await refused(client, "breakpoint_answer", answer="maybe"))["code"] == "invalid_arguments"
    assert (await refused(client, "agent_consistency", agent="nobody"))["code"] == "not_found"
    error = await refused(client, "debate_start", question=" ")
    assert error["code"] in ("debate", "config"), error
    error = await refused(client, "debate_start", question=QUESTION, agents=["ann", "bobb"])
    assert error["code"] == "config" and "did you mean bob" in error["message"], error
    error = await refused(client, "debate_start", question=QUESTION, agents=["ann", "bob"],
                          budget_calls=10_000)
    assert error["code"] == "budget", error
    for wrong in ["rebuttal://debates/d-none", "rebuttal://debates//report", "file:///etc/passwd"]:
        try:
            await client.read_resource(wrong)
        except MCPError as error:
            assert error.error.data["error"]["code"] == "not_found", error
        else:
            raise AssertionError(f"{wrong} is there")


async def debating(client, key):
    """A client that gives up on its calls loses nothing."""
    order = {"question": QUESTION, "agents": ["ann", "bob", "cyd"], "key": key, "budget_calls": 60}
    try:
        await client.session.call_tool("debate_start", order, read_timeout_seconds=0.01)
    except (MCPError, TimeoutError):
        pass
    started = await call(client, "debate_start", **order)
    again = await call(client, "debate_start", **order)
    debate = started["debate"]
    assert again["debate"] == debate, "one key, one debate"
    try:
        await client.session.call_tool(
            "debate_result", {"debate": debate, "wait_seconds": 45}, read_timeout_seconds=0.05)
    except (MCPError, TimeoutError):
        pass
    for _ in range(60):
        result = await call(client, "debate_result", debate=debate, wait_seconds=45)
        if "decision" in result:
            break
    assert result["decision"]["answer"] == "yes", result
    status = await call(client, "debate_status", debate=debate)
    assert status["status"] == "decided", status
    assert status["so_far"]["budget"]["calls"] == 60 and 0 < status["so_far"]["calls"] <= 60, status
    report = await client.call_tool("debate_result", {"debate": debate, "format": "markdown"})
    assert QUESTION in report.content[0].text and not report.is_error, report
    over = await refused(client, "breakpoint_answer", debate=debate, answer="continue")
    assert over["code"] == "debate" and "does not wait" in over["message"], over

    resources = (await client.list_resources(cache_mode="bypass")).resources
    uris = [str(resource.uri) for resource in resources]
    assert uris[0] == "rebuttal://debates" and f"rebuttal://debates/{debate}/report" in uris, uris
    for uri, told in [("rebuttal://debates", debate), (f"rebuttal://debates/{debate}", "decision"),
                      (f"rebuttal://debates/{debate}/report", QUESTION)]:
        contents = (await client.read_resource(uri)).contents
        assert told in contents[0].text, (uri, contents)
    ann = await call(client, "agent_consistency", agent="ann")
    assert ann["known"] and ann["history"], ann
    everybody = await call(client, "agent_consistency")
    assert {agent["agent_name"] for agent in everybody["agents"]} >= {"ann", "bob", "cyd"}, everybody
    flips = await call(client, "flips", kind="contradiction", silent_only=True)
    assert flips["flips"] == [], flips


async def waiting(client, key):
    """A debate that waits for a person is answered and goes on by itself."""
    order = {"question": "Should we move?", "agents": ["ann", "bob", "hollow"], "key": key}
    started = await call(client, "debate_start", **order)
    debate = started["debate"]
    for _ in range(60):
        status = await call(client, "debate_result", debate=debate, wait_seconds=45)
        if status.get("status") == "waiting":
            break
        assert "decision" not in status, status
    assert status["breakpoint"]["number"] == 1, status
    assert (await refused(client, "breakpoint_answer", debate=debate, answer="redirect"))["hint"]
    wrong = await refused(client, "breakpoint_answer", debate=debate, answer="continue", number=9)
    assert wrong["code"] == "debate", wrong
    await call(client, "breakpoint_answer", debate=debate, answer="abort", number=1)
    for _ in range(60):
        result = await call(client, "debate_result", debate=debate, wait_seconds=45)
        if "decision" in result:
            return
    raise AssertionError(f"it does not end: {result}")


async def everything(target, mode):
    async with Client(target(), mode=mode) as client:
        assert client.server_info is None or client.server_info.name == "rebuttal"
        assert "debate_start" in client.instructions
        await lists(client)
        await reading(client)
        await bad_input(client)
        await debating(client, f"deploy-{mode}")
        await waiting(client, f"wait-{mode}")


def main():
    kind, *where = sys.argv[1:]
    if kind == "stdio":
        command, *arguments = where
        server = StdioServerParameters(command=command, args=arguments)
        target = lambda: stdio_client(server)
    else:
        target = lambda: where[0]
    # Both revisions of the protocol: with a handshake, and with every request for itself.
    for mode in ["legacy", "auto"]:
        asyncio.run(everything(target, mode))


main()
