import { createElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../../../test/page.ts'
import type { Track } from './player.client.ts'

const { showPlayerBar, takePlayer } = vi.hoisted(() => ({
  showPlayerBar: vi.fn<() => void>(),
  takePlayer: vi.fn<() => object>(),
}))
vi.mock('./PlayerBar.tsx', () => ({ showPlayerBar }))
vi.mock('./nowPlaying.client.ts', () => ({ takePlayer, showPlayer: () => () => undefined }))

let page: Awaited<ReturnType<typeof openPage>>
beforeEach(async () => {
  page = await openPage('/read/line')
  showPlayerBar.mockReset()
})
afterEach(() => page.close())

/** Draws the page of a track whose player begins to load. */
async function startLoading(contentType: string) {
  const { createStore } = await import('../../../kit/store.client.ts')
  const { useMedia } = await import('./useMedia.ts')
  const track = { file: { contentType } } as Track
  const state = createStore({ isPlaying: false, isWaiting: false })
  takePlayer.mockReturnValue({ track, state })
  page.draw(() => createElement('p', null, useMedia(track).isWaiting ? 'loads' : 'rests'), {})
  await page.rest()
  expect(page.text()).toBe('rests')
  expect(showPlayerBar).not.toHaveBeenCalled()
  state.set({ isPlaying: false, isWaiting: true })
  await page.rest()
  expect(page.text()).toBe('loads')
}

test('a sound gets its bar while it still loads, because its page may be left before it plays', async () => {
  await startLoading('audio/mpeg')
  await vi.waitFor(() => expect(showPlayerBar).toHaveBeenCalledOnce())
})

test('a film gets no bar, because it stops with its page', async () => {
  await startLoading('video/mp4')
  expect(showPlayerBar).not.toHaveBeenCalled()
})
