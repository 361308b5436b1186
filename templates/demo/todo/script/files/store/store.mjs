/** Keeps to-dos in memory, in the order they were added. */
export function createStore() {
  const items = [];
  const find = (id) => items.find((item) => item.id === id);
  return {
    add(title) {
      const text = String(title ?? '').trim();
      if (text === '') throw new TypeError('a to-do needs a title');
      const item = { id: items.length + 1, title: text, done: false };
      items.push(item);
      return { ...item };
    },
    list({ done } = {}) {
      return items.filter((item) => done === undefined || item.done === done).map((item) => ({ ...item }));
    },
    setDone(id, done) {
      const item = find(id);
      if (item === undefined) return undefined;
      item.done = done;
      return { ...item };
    },
    remove(id) {
      const at = items.findIndex((item) => item.id === id);
      if (at < 0) return false;
      items.splice(at, 1);
      return true;
    },
  };
}
