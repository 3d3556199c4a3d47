import { useIsFirstView } from '../drawn.client.ts'

/** For `refetchOnMount`: refetches on every mount except in the first view, which embeds the data. */
export const useAlways = (): 'always' | false => (useIsFirstView() ? false : 'always')
