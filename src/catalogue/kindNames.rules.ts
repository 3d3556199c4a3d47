import type { KindName } from './kinds.rules.ts'

export const KIND_NAMES: Record<KindName, string> = {
  file: 'File',
  code: 'Codes',
  license: 'Licence keys',
  bundle: 'Bundle',
  course: 'Course',
}
