/** Clouds from which members can import files, with their names in Companion's paths. */
export const REMOTE_SOURCES = ['drive', 'dropbox', 'onedrive'] as const
export type RemoteSource = (typeof REMOTE_SOURCES)[number]

export const COMPANION_PATH = '/companion'
