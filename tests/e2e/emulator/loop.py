"""One event loop in a thread of its own serves every emulated drive; tests run in the main thread."""

import asyncio
import threading


class Loop:
    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def call(self, coroutine, limit=10):
        """Run a coroutine on the loop and wait for its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(limit)

    def soon(self, function, *args):
        self.loop.call_soon_threadsafe(function, *args)

    def stop(self):
        """End every task, then the thread."""
        self.call(self.cancel_all())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)

    @staticmethod
    async def cancel_all():
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
