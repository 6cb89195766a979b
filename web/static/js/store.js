// A table as the server has it, changes to it one after another, undo and redo.

import { ask } from "./api.js";
import { toast } from "./dom.js";
import { t } from "./start.js";

export class Store {
  constructor(view, changed) {
    this.view = view;
    this.changed = changed;
    this.past = [];
    this.future = [];
    this.queue = Promise.resolve();
  }

  get state() {
    return this.view.state;
  }

  get cards() {
    return this.state.cards ?? [];
  }

  /** change(state) returns the new state (or null); it is sent and judged. */
  change(change, options) {
    return this.#enqueue(async () => {
      const before = this.state;
      const next = change(structuredClone(before));
      if (!next) return;
      if (await this.#put(next, options)) {
        this.past.push(before);
        this.future = [];
      }
      this.changed(this.view);
    });
  }

  undo() {
    return this.#travel(this.past, this.future);
  }

  redo() {
    return this.#travel(this.future, this.past);
  }

  #travel(from, to) {
    return this.#enqueue(async () => {
      const target = from.pop();
      if (!target) return;
      const here = this.state;
      if (await this.#put(target)) to.push(here);
      this.changed(this.view);
    });
  }

  async #put(state, options) {
    try {
      this.view = await ask("PUT", `/api/tables/${this.view.id}`, { revision: this.view.revision, state, ...(options ? { options } : {}) });
      return true;
    } catch (error) {
      toast(error.message, true);
      if (error.status === 409) await this.reload();
      return false;
    }
  }

  /** Take what the server has now. */
  async reload() {
    try {
      this.view = await ask("GET", `/api/tables/${this.view.id}`);
      this.past = [];
      this.future = [];
      toast(t("panel.changed"));
    } catch (error) {
      toast(error.message, true);
    }
  }

  /** Another request that answers with the table. */
  run(request) {
    return this.#enqueue(async () => {
      try {
        this.view = await request(this.view);
      } catch (error) {
        toast(error.message, true);
      }
      this.changed(this.view);
    });
  }

  #enqueue(job) {
    this.queue = this.queue.then(job, job);
    return this.queue;
  }
}

/** An id that no card has yet. */
export function freshId(cards) {
  const taken = new Set(cards.map((card) => card.id));
  for (let number = 1; ; number++) if (!taken.has(`h${number}`)) return `h${number}`;
}
