import { createStore, useStore } from '../store.client.ts'

/** Whether the server's change feed reaches this page. While it does not, readers poll more often. */
export const live = createStore(false)

/** The polling interval in milliseconds: `often`, or `seldom` while the change feed is connected. */
export const useAskEvery = (often: number, seldom: number): number => (useStore(live) ? seldom : often)
