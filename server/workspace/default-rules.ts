/** The rules that a new store begins with; lines of an ignore file. */
export const DEFAULT_RULES = `# What points of this workspace leave out; the same patterns as in a .gitignore.
# Nothing that is left out is ever changed or deleted by a restore.

# Histories of version control systems
.git
.hg/
.svn/
.jj/

# DevLoop's own state in a data folder: its token, what a running server has
.devloop/

# Dependencies, which tools fetch again
node_modules/
.venv/
venv/
__pycache__/

# What a build makes
target/
dist/
build/
*.pyc
*.o
*.obj
*.class

# Caches and settings of editors
.cache/
.next/
.turbo/
.idea/
.vscode/
.DS_Store
`;

/** Names of folders that are a build's in most places, and somebody's own files where a user's index tracks them. */
export const BUILD_FOLDERS: ReadonlySet<string> = new Set(['target', 'dist', 'build']);
