#!/usr/bin/python3
"""A GTK entry that completes places; prints the chosen one. Needs Debian's python3-gi and gir1.2-gtk-3.0, and the package `places`."""
import asyncio
import threading

import gi
import places

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk

class PlaceEntry(Gtk.Entry):
    """Calls `chosen` with the chosen place. The daemon is asked on a thread of its own, so that the window never waits."""
    def __init__(self, chosen):
        super().__init__(placeholder_text="Search a place")
        self.chosen, self.rows, self.model, self.loop = chosen, [], Gtk.ListStore(str), asyncio.new_event_loop()
        completion = Gtk.EntryCompletion(model=self.model, text_column=0)
        completion.set_match_func(lambda *_: True)  # The daemon has decided which rows match.
        completion.connect("match-selected", self.on_selected)
        self.set_completion(completion)
        self.client = places.AsyncClient()
        self.completer = places.Autocompleter(self.client, limit=6, kinds=["place"])
        self.changed = self.connect("changed", lambda _: self.loop.call_soon_threadsafe(self.completer.type, self.get_text()))
        threading.Thread(target=self.loop.run_until_complete, args=(self.complete(),), daemon=True).start()

    async def complete(self):
        async with self.client:
            async for state in self.completer.states():
                self.once(self.show_rows, state)

    def once(self, function, value):  # On GTK's thread; GLib would call a function that returns something true again.
        GLib.idle_add(lambda: (function(value), False)[1])

    def show_rows(self, state):
        if state.text != self.get_text().strip():
            return
        self.rows = state.rows
        self.model.clear()
        for row in state.rows:
            self.model.append([row["text"]["text"]])
        self.set_tooltip_text(str(state.error or ", ".join(credit["text"] for credit in state.attributions)))  # Terms require credits.
        with self.handler_block(self.changed):
            self.emit("changed")  # GTK looks at the rows only when the text changes.

    def on_selected(self, _completion, model, position):
        row = self.rows[model.get_path(position).get_indices()[0]]
        with self.handler_block(self.changed):
            self.set_text(row["text"]["text"])
        asyncio.run_coroutine_threadsafe(self.finish(row), self.loop)
        return True

    async def finish(self, row):
        self.once(self.chosen, (await self.completer.details(row, ["name", "coordinate"]))["place"])

if __name__ == "__main__":
    window = Gtk.Window(title="Places", default_width=400)
    window.add(PlaceEntry(lambda place: print(place["name"], place["coordinate"], flush=True)))
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    Gtk.main()
