import { useIsFirstView } from '../drawn.client.ts'

/** For reads that each mount repeats, except in the first view, with which they came. */
export const useAlways = (): 'always' | false => (useIsFirstView() ? false : 'always')
