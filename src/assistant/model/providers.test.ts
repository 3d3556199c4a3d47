import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { chosen, cutInTwo, type FakeModel, openFakeModel, type Provider, WIRES } from '../../../test/model.ts'
import { openTestShop, type TestShop } from '../../../test/shop.ts'
import { type Answering, EVENTS } from '../../../test/wire.ts'
import { readConfig } from '../../app/settings.server.ts'
import { setLogLevel } from '../../kit/log/log.server.ts'
import { NO_MEANING } from '../../kit/meaning/meaning.server.ts'
import { openMind } from '../answers/answer.server.ts'
import { getChat, sendChat } from '../../support/chat/chat.contract.ts'
import type { AssistantConfig } from '../assistant.settings.server.ts'
import { openHelp } from '../help/help.server.ts'
import { checkModel, openModel } from '../model.server.ts'
import { listAnswers } from '../../support/review/review.contract.ts'
import { openModelAnswers } from './modelAnswer.server.ts'

const QUESTION = 'How much are the zephyr field recordings?'
const TRUTH = 'Zephyr Field Recordings costs $7.25.'
const RATING = 'Zephyr Field Recordings has no reviews yet.'
const CHAT = { hasAssistant: true, hasMeaning: true }
const limiter = { take: () => Promise.resolve(0) }

describe.each<Provider>(['compatible', 'openai', 'anthropic'])('a model of %s', (provider) => {
  const { says, streams, begins, callsTool, keyHeader } = WIRES[provider]
  const chooses =
    (...sentences: string[]): Answering =>
    (response, asked) =>
      streams(...cutInTwo(chosen(asked, ...sentences)))(response, asked)
  /** Chooses the price, begins the id of the rating, and never ends. */
  const beginsToChoose: Answering = (response, asked) => begins(chosen(asked, TRUTH, RATING).slice(0, -3))(response)
  let model: FakeModel
  let shop: TestShop
  let ai: NonNullable<AssistantConfig['ai']>
  beforeAll(async () => {
    model = await openFakeModel(0, provider)
    const settings = { ...model.settings, AI_CENTS_PER_MILLION: '100/1000' }
    shop = await openTestShop({ ...settings, RATE_LIMIT_SCALE: '1' })
    ai = readConfig(settings).ai!
    await addProduct(shop, { title: 'Zephyr Field Recordings', price: '7.25', categoryId: 'audio' })
  })
  afterAll(async () => {
    await shop.close()
    await model.close()
  })
  beforeEach(() => {
    model.state.asked = []
  })

  /** Calls only the model, without the chat. */
  async function answer(patience: { firstTokenMs?: number; wholeMs?: number } = {}) {
    const { pool } = shop.database
    const help = openHelp()
    const mind = openMind({ pool, help, meaning: NO_MEANING, storeName: 'Primo' })
    const writer = openModelAnswers({ settings: ai, limiter, pool, mind, ...patience })
    const asked = { userId: crypto.randomUUID(), text: QUESTION, frame: null }
    const local = await mind.answer(asked)
    const { signal } = new AbortController()
    return writer.answer({ ...asked, local, thread: [], signal, onText: () => undefined })
  }
  const explain = () => openModel(ai, limiter).ask({ task: 'Explain the error.', data: 'A remarkable question.' })

  test('calls a tool, streams the chosen facts and counts the cost of both turns', async () => {
    const warn = vi.spyOn(process, 'emitWarning')
    const [ada, lena] = [await shop.join(), await shop.join({ isAdmin: true })]
    let turn = 0
    model.state.answer = (...given) =>
      turn++ === 0
        ? callsTool('search_products', { words: 'zephyr' })(...given)
        : chooses('The recordings cost $1.99.', TRUTH, RATING)(...given)
    await ada.call(sendChat, { message: QUESTION })
    await expect.poll(async () => (await ada.call(getChat, {})).at(-1)!.message).toBe(`${TRUTH}\n${RATING}`)

    const [name, value] = keyHeader(model.key)
    expect(model.state.headers[name]).toBe(value)
    expect(model.state.asked).toHaveLength(2)
    expect(model.state.asked[0]!.model).toBe(ai.model)
    // The result of the tool follows the model's call.
    expect(JSON.stringify(model.state.asked[1]!.messages.slice(1))).toMatch(/call-0.*\$7\.25/)
    const [why] = await lena.call(listAnswers, { userId: ada.id })
    expect(why).toMatchObject({ model: ai.model, dropped: 1, cost: '0.004000' })
    // The SDK warns about settings that a provider does not support.
    expect(warn).not.toHaveBeenCalled()
  })

  test("answers a question of staff with the model's text", async () => {
    model.state.answer = says('What happened: the cart was empty.')
    expect(await explain()).toBe('What happened: the cart was empty.')
    expect(await checkModel({ ...CHAT, ai })).toMatchObject({ grade: 'ok' })
    expect(await checkModel({ ...CHAT, ai: { ...ai, key: 'wrong' } })).toMatchObject({
      grade: 'fail',
      mend: 'correct AI_KEY',
    })
  })

  test.each([401, 404, 429, 500, 503])('does not retry if the service answers %i', async (status) => {
    model.state.answer = (response) => void response.writeHead(status).end('{"error":{"message":"secret words"}}')
    const failure = await explain().catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 503, code: 'model_away' })
    expect(String(failure)).not.toContain('secret')
    expect(await answer()).toMatchObject({ draft: null })
    expect(model.state.asked).toHaveLength(2)
  })

  test('follows no redirect', async () => {
    let reached = 0
    const elsewhere = createServer((_, response) => void response.end(String(reached++)))
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
    onTestFinished(() => void elsewhere.close())
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
    model.state.answer = (response) => void response.writeHead(307, { location }).end()
    await expect(explain()).rejects.toMatchObject({ message: 'The model does not answer.' })
    expect(await answer()).toMatchObject({ draft: null })
    expect(reached).toBe(0)
  })

  test('stops reading an endless answer', async () => {
    let isClosed = false
    let sent = 0
    model.state.answer = (response) => {
      const flood = () => {
        for (let i = 0; i < 64 && !isClosed; i++, sent += 1000) begins('and so on '.repeat(100))(response)
        if (!isClosed && sent < 64 * 1024 * 1024) setImmediate(flood)
      }
      response.on('close', () => (isClosed = true))
      flood()
    }
    await expect(explain()).rejects.toMatchObject({ message: "The model's answer is too long." })
    await expect.poll(() => isClosed).toBe(true)
    isClosed = false
    expect(await answer()).toMatchObject({ draft: null })
    await expect.poll(() => isClosed).toBe(true)
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })

  test('cancels a model whose first fact is late, and closes the connection', async () => {
    let isClosed = false
    model.state.answer = (response) => {
      response.on('close', () => (isClosed = true))
      response.writeHead(200, EVENTS).write(': wait\n\n')
    }
    const started = performance.now()
    expect(await answer({ firstTokenMs: 1_000 })).toMatchObject({ draft: null })
    await expect.poll(() => isClosed).toBe(true)

    // A tool call does not count as a first fact.
    model.state.answer = (response) => {
      if (model.state.asked.length === 2) callsTool('my_orders', {})(response)
    }
    expect(await answer({ firstTokenMs: 2_000 })).toMatchObject({ draft: null })
    expect(model.state.asked).toHaveLength(3)
    // Far below the 30 s limit of a whole answer.
    expect(performance.now() - started).toBeLessThan(15_000)
  })

  test('ends an answer that takes too long, and retains the facts that arrived', async () => {
    model.state.answer = beginsToChoose
    const started = performance.now()
    expect(await answer({ wholeMs: 2_000 })).toMatchObject({ draft: { text: TRUTH } })
    expect(performance.now() - started).toBeLessThan(15_000)
  })

  test('retains the facts that arrived if the model breaks off, and closes the connection', async () => {
    let isClosed = false
    model.state.answer = (response, asked) => {
      response.on('close', () => (isClosed = true))
      beginsToChoose(response, asked)
      response.write('data: {no JSON\n\n')
    }
    expect(await answer()).toMatchObject({ draft: { text: TRUTH } })
    await expect.poll(() => isClosed).toBe(true)
    model.state.answer = (response, asked) => {
      beginsToChoose(response, asked)
      setTimeout(() => response.destroy(), 100)
    }
    expect(await answer()).toMatchObject({ draft: { text: TRUTH } })
    model.state.answer = (response) => void response.writeHead(200).write('{"choices":', () => response.destroy())
    await expect(explain()).rejects.toMatchObject({ message: "The model's answer broke off." })
  })

  test('runs at most four tool calls per turn, in three turns, the last without tools', async () => {
    model.state.answer = callsTool('my_credit', {}, 6)
    const found = await answer()
    expect(found).toMatchObject({ draft: null })
    expect(model.state.asked).toHaveLength(3)
    const sent = model.state.asked.map((asked) => JSON.stringify(asked))
    expect(sent[1]!.match(/Your store credit is/g)).toHaveLength(4)
    expect(sent[2]!.match(/Your store credit is/g)).toHaveLength(8)
    expect(sent.map((one) => /"tool_choice":("none"|\{"type":"none"\})/.test(one))).toEqual([false, false, true])
  })

  test('reports an unknown tool or invalid input to the model, and shows the facts that it then chooses', async () => {
    let turn = 0
    model.state.answer = (...given) => {
      turn++
      if (turn === 1) callsTool('refund', { order: 1 })(...given)
      else if (turn === 2) callsTool('search_products', { sort: 'by luck' })(...given)
      else chooses(TRUTH)(...given)
    }
    expect(await answer()).toMatchObject({ draft: { text: TRUTH } })
    expect(turn).toBe(3)
  })

  test('logs neither the key nor the question nor the answer', async () => {
    const lines: string[] = []
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
    setLogLevel('debug')
    onTestFinished(() => setLogLevel('silent'))
    onTestFinished(() => write.mockRestore())
    const texts = ['data: {"remarkable": words\n\n', 'data: {"remarkable": "words"}\n\n', '<html>remarkable words']
    const error = JSON.stringify({ type: 'error', error: { type: 'busy', message: 'Remarkable words.' } })
    const answers: [number, string][] = [...texts.map((text) => [200, text] as [number, string]), [400, error]]
    for (const [status, text] of answers) {
      model.state.answer = (response) => void response.writeHead(status, EVENTS).end(text)
      await explain().catch(() => undefined)
      await answer()
    }
    const written = lines.join('')
    expect(written).toContain('the model gave no answer')
    expect(written).toContain('the model broke off a chat answer')
    for (const secret of [model.key, 'zephyr', 'emarkable', 'Explain']) expect(written).not.toContain(secret)
  })
})
