import { createStore, useStore } from '../store.client.ts'

export const live = createStore(false)

export const useAskEvery = (often: number, seldom: number): number => (useStore(live) ? seldom : often)
