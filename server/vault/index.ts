export { type DataFolder, openDataFolder } from './data-folder.ts';
export { type GitVault, openGitVault } from './git-vault.ts';
export type { Maintained } from './maintain.ts';
export { ProjectFolders } from './project-folders.ts';
export { vaultNotes } from './vault-notes.ts';
