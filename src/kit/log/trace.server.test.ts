import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openTestShop } from '../../../test/shop.ts'
import { inSpan, startSpan, startTracing } from './trace.server.ts'

type Sent = { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }
type SentSpan = { name: string; traceId: string; parentSpanId?: string; status: { code?: number } }

async function startCollector() {
  const spans: SentSpan[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { resourceSpans } = JSON.parse(text) as Sent
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return { spans, endpoint: `http://127.0.0.1:${(server.address() as { port: number }).port}` }
}

test('creates no span without a collector', async () => {
  expect(startSpan('anything', {})).toBeUndefined()
  expect(await inSpan('anything', {}, async () => 7)).toBe(7)
})

test('continues the trace of a trusted proxy and nests its own spans', async () => {
  const { spans, endpoint } = await startCollector()
  const stop = await startTracing({ endpoint, name: 'Primo', version: '1.2.3' })
  const shop = await openTestShop({ TRUST_PROXY: '1' })
  onTestFinished(() => shop.close())
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const { cookie } = await shop.join()
  await fetch(`${shop.url}/api/payments/integrations`, {
    headers: { cookie, traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  })
  await expect(inSpan('failing', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await stop()
  const request = spans.find(({ name }) => name === 'GET /api/payments/integrations')
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
  expect(spans.some(({ name, traceId: id, parentSpanId }) => name === 'paypal' && id === traceId && parentSpanId)).toBe(
    true,
  )
  expect(spans.find(({ name }) => name === 'failing')!.status.code).toBe(2)
})

test('ignores the trace header of an untrusted client', async () => {
  const { spans, endpoint } = await startCollector()
  const stop = await startTracing({ endpoint, name: 'Primo', version: '1.2.3' })
  const shop = await openTestShop()
  onTestFinished(() => shop.close())
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  for (const flags of ['00', '01'])
    await fetch(`${shop.url}/healthz`, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-${flags}` } })
  await stop()
  const requests = spans.filter(({ name }) => name === 'GET /healthz')
  expect(requests).toHaveLength(2)
  for (const request of requests) {
    expect(request.traceId).not.toBe(traceId)
    expect(request.parentSpanId ?? '').toBe('')
  }
})
