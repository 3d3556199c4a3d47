import { plural } from '../../localisation/plural.rules.ts'
import type { StoredFile } from './kept.rules.ts'

/** Counts the things that open without a connection: stored courses, and stored files of the kind `file`. */
export const countOpenable = (kept: Pick<StoredFile, 'owned'>[], courses: number): number =>
  courses + kept.filter(({ owned: { kind, closedBy } }) => kind === 'file' && !closedBy).length

/** Describes what opens without a connection. `count` is null until the device was read. */
export const describeOpenable = (count: number | null): string =>
  count === 0
    ? 'Nothing is stored on this device. Your things open when you’re back online.'
    : `You can ${count ? `still open ${plural(count, 'thing')}` : 'open what is'} on this device. The rest opens when you’re back online.`
