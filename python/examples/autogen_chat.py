"""An AutoGen group chat that ends where an agent turns around without saying so."""

import asyncio
from collections.abc import Sequence
from typing import Any

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage, TextMessage
from autogen_agentchat.teams import RoundRobinGroupChat

from rebuttal.autogen import AuditTermination


class Speaker(BaseChatAgent):
    """Says what it was given; in a program of yours this is an AssistantAgent."""

    def __init__(self, name: str, words: list[str]) -> None:
        super().__init__(name, "speaks")
        self.words = words

    @property
    def produced_message_types(self) -> Sequence[type[BaseChatMessage]]:
        return (TextMessage,)

    async def on_messages(self, messages: Any, cancellation_token: Any) -> Response:
        return Response(chat_message=TextMessage(content=self.words.pop(0), source=self.name))

    async def on_reset(self, cancellation_token: Any) -> None:
        pass


ann = Speaker("ann", ["Yes, we should ship the release.", "No, we should not ship the release."])
bob = Speaker("bob", ["No, we should not ship the release.", "No, it is too early."])
team = RoundRobinGroupChat([ann, bob], termination_condition=AuditTermination(stop_at="low"), max_turns=4)
print(asyncio.run(team.run(task="Should we ship the release?")).stop_reason)
