import { expect, test } from 'vitest'
import { pageHeaders } from './headers.server.ts'

test('allows pages the camera and chosen files, and nothing of other hosts', () => {
  const headers = pageHeaders({})
  expect(headers['permissions-policy']).toMatch(/^camera=\(self\), microphone=\(self\),/)
  const policy = headers['content-security-policy']
  expect(policy).toContain("img-src 'self' blob:;")
  expect(policy).toContain("media-src 'self' blob:;")
  expect(policy).toContain("connect-src 'self';")
  expect(policy).toContain("script-src 'self';")
})
