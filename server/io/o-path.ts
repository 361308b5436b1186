/** Linux: opens a thing by its name only, so that no permission to read it is needed and a pipe does not hang. Node has no name for it. */
export const O_PATH = 0o10000000;
