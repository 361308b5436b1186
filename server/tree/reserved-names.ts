/**
 * Tells whether git refuses to hold a name in a tree: `.git` as some file system would read it (case, trailing
 * blanks and dots, short names, streams, ignorable code points), and names that lead out of the folder.
 * Source of the rule: `git fsck --strict` (hasDotgit, hasDot, hasDotdot).
 */
export function isReservedName(name: string): boolean {
  return name === '.' || name === '..' || isDotGit(name) || isHfsDotGit(name);
}

/** A name that git takes for a file of its own and refuses as a link. */
export function isReservedLink(name: string): boolean {
  return name.toLowerCase() === '.gitmodules';
}

/** On NTFS a backslash separates, so each part counts. */
function isDotGit(name: string): boolean {
  return name.split('\\').some((part) => NTFS_DOT_GIT.test(part));
}

const NTFS_DOT_GIT = /^(?:\.git|git~1)[ .]*(?::.*)?$/is;

function isHfsDotGit(name: string): boolean {
  return name.includes('\xe2') || name.includes('\xef')
    ? name.replace(IGNORED_BY_HFS, '').toLowerCase() === '.git'
    : false;
}

/** UTF-8 of U+200C to U+200F, U+202A to U+202E, U+206A to U+206F and U+FEFF, one byte a character. */
const IGNORED_BY_HFS = /\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf/g;
