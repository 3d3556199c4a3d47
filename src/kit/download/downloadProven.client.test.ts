import { expect, test, vi } from 'vitest'
import { whenProofIsAsked } from '../call.client.ts'
import { STEP_UP_REQUIRED } from '../contract.ts'
import { downloadProven } from './downloadProven.client.ts'
import { startDownload } from './startDownload.client.ts'

vi.mock('./startDownload.client.ts', () => ({ startDownload: vi.fn<(url: string, fileName?: string) => void>() }))

function answer(...replies: Response[]) {
  const fetch = vi.fn<() => Promise<Response>>(async () => replies.shift()!)
  vi.stubGlobal('fetch', fetch)
  return fetch
}
const refused = () => Response.json({ message: 'Please verify your identity', code: STEP_UP_REQUIRED }, { status: 403 })

test('requests the fresh proof for a file, then saves the file', async () => {
  const fetch = answer(refused(), new Response('the file'))
  const asked = vi.fn<() => Promise<boolean>>(async () => true)
  whenProofIsAsked(asked)
  await downloadProven('/file.csv', 'payouts.csv')
  expect(asked).toHaveBeenCalledOnce()
  expect(fetch).toHaveBeenCalledTimes(2)
  expect(startDownload).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^blob:/), 'payouts.csv')
})

test('saves nothing without the proof', async () => {
  answer(refused())
  whenProofIsAsked(async () => false)
  await expect(downloadProven('/file.csv', 'payouts.csv')).rejects.toMatchObject({ code: STEP_UP_REQUIRED })
  expect(startDownload).not.toHaveBeenCalled()
})

test('reports the reason of a refusal', async () => {
  answer(Response.json({ message: 'No payout of this batch waits for the bank.' }, { status: 409 }))
  await expect(downloadProven('/file.csv', 'payouts.csv')).rejects.toMatchObject({ status: 409 })
})
