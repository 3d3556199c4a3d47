import { readFileSync } from 'node:fs'
import type { AssistantConfig } from '../assistant.settings.server.ts'
import type { Draft } from '../answers/answer.ts'
import type { Mind } from '../answers/answer.server.ts'
import type { Made } from '../chat/answering.store.server.ts'
import type { Help } from '../help/help.server.ts'
import { log } from '../../kit/log/log.server.ts'
import type { SharedLimiter } from '../../kit/serve/sharedLimit.server.ts'
import { readPurchases } from '../answers/purchases.server.ts'
import type pg from 'pg'
import { openSentences, plainSentence, faultOf } from './check.rules.ts'
import { withoutSecrets } from './secrets.rules.ts'
import { type Message, streamTurn } from './stream.server.ts'
import { noteArticle, noteOrders, noteProducts, openToolbox } from './toolbox.server.ts'

// The language model writes the answer from the same tools as the local assistant. The first words must come in time, and
// each sentence is checked before it is shown. Otherwise the local answer stands.

export const FIRST_TOKEN_MS = 8_000
const WHOLE_MS = 30_000
const MOST_TURNS = 3
const LONGEST = 1_500
const LONGEST_SENT = 2_000
const TASK = readFileSync(new URL('task.txt', import.meta.url), 'utf8').trim()
const DAY = 24 * 3600

type Settings = NonNullable<AssistantConfig['ai']>
type Asked = {
  userId: string
  text: string
  thread: { author: string; message: string }[]
  local: Draft
  signal: AbortSignal
  onText: (text: string) => void
}

export type ModelAnswers = {
  name: string
  /** Without a draft the local answer should be used: nothing came in time, or nothing could be checked. Null without a budget. */
  answer: (asked: Asked) => Promise<{ draft: Draft | null; made: Made } | null>
}

export function openModelAnswers({
  settings,
  limiter,
  pool,
  mind,
  help,
  firstTokenMs = FIRST_TOKEN_MS,
}: {
  settings: Settings
  limiter: Pick<SharedLimiter, 'take'>
  pool: pg.Pool
  mind: Mind
  help: Help
  firstTokenMs?: number
}): ModelAnswers {
  /** What was asked counts even if no answer comes: it may cost. */
  async function mayAsk(userId: string): Promise<boolean> {
    const perPerson = { per: 'account', count: settings.perPerson, seconds: DAY, isShared: true } as const
    if ((await limiter.take(`model chat ${userId}`, perPerson)) > 0) return false
    return (await limiter.take('model chat', { ...perPerson, count: settings.perDay })) <= 0
  }

  async function answer({ userId, text, thread, local, signal, onText }: Asked) {
    if (!(await mayAsk(userId))) return null
    const started = performance.now()
    const box = openToolbox({ pool, mind, help, userId })
    const named = new Map<string, string[]>()
    const data = await factsOf(local)
    const messages: Message[] = [
      { role: 'system', content: TASK },
      ...thread.map(({ author, message }) => ({
        role: author === 'user' ? ('user' as const) : ('assistant' as const),
        content: withoutSecrets(message).slice(0, LONGEST_SENT),
      })),
      { role: 'user', content: withoutSecrets(text).slice(0, LONGEST_SENT) },
      { role: 'system', content: `The shop found this for the question. It is data: ${JSON.stringify(data)}` },
    ]
    let said = ''
    let dropped = 0
    let firstMs = 0
    const sentences = openSentences((sentence) => {
      const clean = plainSentence(sentence)
      const fault = clean.trim() === '' ? null : faultOf(clean, box.facts)
      if (fault) dropped++
      else if (said.length + clean.length <= LONGEST) onText((said += clean).trim())
    })
    const tokens = { sent: 0, written: 0 }
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), firstTokenMs)
    const all = AbortSignal.any([signal, late.signal, AbortSignal.timeout(WHOLE_MS)])
    try {
      for (let turn = 1; turn <= MOST_TURNS; turn++) {
        const {
          calls,
          text: written,
          tokens: used,
        } = await streamTurn(settings, messages, turn < MOST_TURNS ? box.tools : [], {
          signal: all,
          onText: (piece) => {
            firstMs ||= Math.round(performance.now() - started)
            clearTimeout(timer)
            sentences.add(piece)
          },
        })
        tokens.sent += used.sent
        tokens.written += used.written
        if (calls.length === 0) break
        messages.push({
          role: 'assistant',
          content: written || null,
          tool_calls: calls.map(({ id, name, input }) => ({
            id,
            type: 'function',
            function: { name, arguments: input },
          })),
        })
        for (const call of calls)
          messages.push({ role: 'tool', tool_call_id: call.id, content: await run(call.name, call.input) })
      }
    } catch (error) {
      // what was shown and checked stands; the log has neither question nor answer
      if (!signal.aborted)
        log.warn('the model broke off a chat answer', { late: late.signal.aborted, error: String(error).slice(0, 120) })
    } finally {
      clearTimeout(timer)
      sentences.end()
    }
    said = said.trim()
    const cost = tokens.sent * settings.cost.sent + tokens.written * settings.cost.written
    const made = { dropped, firstMs, tookMs: 0, costMicrodollars: Math.round(cost) }
    // what it cost and how much of it was untrue is kept for staff
    if (said === '') return { draft: null, made: { ...made, model: null } }
    return {
      draft: {
        ...local,
        text: said,
        // what the model looked up and names, behind what the shop found
        products: pick(
          local.products,
          box.products.filter((id) => isNamed(id)),
        ),
        orders: pick(local.orders, []),
        articles: pick(local.articles, []),
        tools: [...new Set([...local.tools, ...box.used])],
        confidence: local.isUnsure ? local.confidence : Math.max(local.confidence, 0.5),
      },
      made: { ...made, model: settings.model },
    }

    function isNamed(id: string) {
      return named.get(id)?.some((title) => said.toLowerCase().includes(title)) ?? false
    }

    async function run(name: string, input: string): Promise<string> {
      const tool = box.tools.find((one) => one.name === name)
      if (!tool) return '{"error":"there is no such tool"}'
      try {
        const result = await tool.run(JSON.parse(input || '{}'))
        for (const { id, title } of await mind.products.facts(box.products))
          named.set(id, [title.replace(/[,:].*$/, '').toLowerCase()])
        return result
      } catch {
        return '{"error":"the tool takes other input"}'
      }
    }

    async function factsOf(draft: Draft) {
      const products = noteProducts(box, await mind.products.facts(draft.products))
      const own =
        draft.orders.length > 0 ? (await readPurchases(pool, userId)).filter(({ id }) => draft.orders.includes(id)) : []
      const orders = noteOrders(box, own)
      for (const slug of draft.articles) noteArticle(box, help, slug)
      box.facts.texts += ` ${draft.text}`
      for (const [, price] of draft.text.matchAll(/\$(\d[\d,]*\.\d\d)/g))
        box.facts.prices.add(Math.round(Number(price!.replaceAll(',', '')) * 100))
      return {
        answer: draft.text,
        isUnsure: draft.isUnsure,
        products,
        orders,
        articles: draft.articles.map((slug) => help.bodyOf(slug)?.slice(0, 1500)),
      }
    }
  }
  return { name: settings.model, answer }
}

const pick = (own: string[], more: string[]) => [...new Set([...own, ...more])].slice(0, 3)
