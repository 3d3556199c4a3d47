/** Clouds that members can import files from. The names are those in the paths of Companion. */
export const REMOTE_SOURCES = ['drive', 'dropbox', 'onedrive'] as const
export type RemoteSource = (typeof REMOTE_SOURCES)[number]

export const COMPANION_PATH = '/companion'
