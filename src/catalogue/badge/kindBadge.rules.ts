import { plural } from '../../localisation/plural.rules.ts'
import type { ProductDetail } from '../catalogue.contract.ts'
import type { KindName } from '../kinds.rules.ts'

export type KindFacts = Pick<ProductDetail, 'parts' | 'lessons' | 'devices'>

/** Describes what a buyer gets: 'Digital Download', 'Course, 3 lessons', 'Licence key, 3 devices'. */
export function describeKind(kind: KindName, { parts = [], lessons, devices }: KindFacts = {}): string {
  switch (kind) {
    case 'file':
      return 'Digital Download'
    case 'code':
      return 'Digital code'
    case 'license':
      return devices ? `Licence key, ${plural(devices, 'device')}` : 'Licence key'
    case 'course':
      return lessons && lessons.count > 0 ? `Course, ${plural(lessons.count, 'lesson')}` : 'Course'
    case 'bundle':
      return parts.length > 0 ? `Bundle of ${parts.length}` : 'Bundle'
  }
}
