/** A queue that takes the same time for each item however long it is; taking from the front of a long array moves all the rest. */
export class Fifo<Item> {
  #items: Item[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  /** The item that is taken next; undefined where there is none. */
  get first(): Item | undefined {
    return this.#items[this.#first];
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  take(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#first];
    this.#first++;
    if (this.#first >= KEPT && this.length <= this.#first) this.#moveUp();
    return item;
  }

  takeAll(): Item[] {
    this.#moveUp();
    return this.#items.splice(0);
  }

  #moveUp(): void {
    this.#items = this.#items.slice(this.#first);
    this.#first = 0;
  }
}

/** Taken items that are kept before the others move up. */
const KEPT = 1000;
