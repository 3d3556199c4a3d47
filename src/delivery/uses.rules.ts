export const USES = ['download', 'read', 'reveal', 'copy', 'activate', 'deactivate'] as const
export type Use = (typeof USES)[number]

export const IS_RECORDED_EACH_TIME: ReadonlySet<Use> = new Set(['reveal', 'copy'])

export const DID: Record<Use, string> = {
  download: 'downloaded',
  read: 'opened a lesson of',
  reveal: 'opened the codes of',
  copy: 'copied a code of',
  activate: 'activated a key of',
  deactivate: 'deactivated a key of',
}
