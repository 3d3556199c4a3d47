import type pg from 'pg'
import { statement } from '../../kit/database.server.ts'
import type { Meaning } from '../../kit/meaning/meaning.server.ts'
import { nextTurn } from './turn.server.ts'
import type { Help } from '../help/help.server.ts'
import type { Draft, Frame } from './answer.ts'
import { asksForPart, asksOr, beginsAgain, goesOn, hasCondition, readAsking } from './asking.rules.ts'
import {
  CONFIDENCE,
  GOING_ON,
  MAX_PASSAGES,
  scoreOfPassage,
  scoreOfPurchases,
  scoreOfShop,
  SURE,
} from './certainty.rules.ts'
import type { Context } from './context.server.ts'
import { answerFromHelp } from './helpAnswer.server.ts'
import { otherLanguage } from './language.rules.ts'
import { openIntents } from './intent.server.ts'
import { answerAboutPurchases, PURCHASE_INTENTS } from './orderAnswer.server.ts'
import { openPassages } from './passages.server.ts'
import { readAspect } from './products/aspect.rules.ts'
import { answerAboutProducts } from './products/productAnswer.server.ts'
import { openProducts, type Products } from './products/products.server.ts'
import { draft } from './draft.rules.ts'
import { answerSocially, isAttack, isRude, refuse, SOCIAL_INTENTS, wantsPerson } from './social.rules.ts'
import { readsEnglish, unsure } from './unsure.server.ts'
import { correct, coverage, stem, stemsOf, weighAll, withCorrections } from './words.rules.ts'

/** A question waits this long for its vector, its time in the queue included; without one words alone decide. */
const TIMEOUT_MS = 600
const MIN_TIMEOUT_MS = 50
/** Other nodes learn what staff taught within this time. */
const LESSONS_MS = 30_000

const readLessons = statement<{ id: string; question: string; slug: string | null; answer: string | null }, []>(
  'assistant_lessons',
  'SELECT id, question, slug, answer FROM chat_lessons ORDER BY created_at DESC LIMIT 500',
)

/** An address in a question tells nothing about its topic. */
const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g

export type Question = { userId: string; text: string; frame: Frame | null; waitedMs?: number }
export type Mind = ReturnType<typeof openMind>

/** What the local assistant knows and how it finds it. It calls tools that only read, for the member of the question. */
export function openMind({
  pool,
  help,
  meaning,
  storeName,
  products = openProducts(pool, meaning),
}: {
  pool: pg.Pool
  help: Help
  meaning: Meaning
  storeName: string
  products?: Products
}) {
  let lessons: { at: number; answers: Map<string, string> } | null = null

  /** What staff taught, at most half a minute old. */
  async function readTaught() {
    if (lessons && Date.now() - lessons.at < LESSONS_MS) return lessons.answers
    const rows = await readLessons(pool)
    intents.add(
      rows.map(({ id, question, slug }) => ({
        text: question,
        intent: slug === null ? `lesson:${id}` : `help:${slug}`,
      })),
    )
    const answers = new Map(
      rows.flatMap(({ id, answer }) => (answer === null ? [] : [[`lesson:${id}`, answer] as const])),
    )
    lessons = { at: Date.now(), answers }
    return answers
  }

  const passages = openPassages(help, meaning)
  const intents = openIntents(meaning)
  const common = new Set([...passages.known, ...intents.known])
  const commonStems = new Set([...common].map(stem))

  async function answer({ userId, text: typed, frame, waitedMs = 0 }: Question): Promise<Draft> {
    if (isAttack(typed)) return refuse(storeName)
    const taught = await readTaught()
    const { categories, known, stems } = await products.ready()
    const said = typed.replace(ADDRESS, ' ')
    const text = correct(said, [common, known], [commonStems, stems])
    // typing mistakes are compared with every word of the shop
    await nextTurn()
    // the typed text keeps signs of money and fractions
    const asking = readAsking(withCorrections(said, text), categories, { mayBeBare: frame?.kind === 'products' })
    // 'the cheapest in audio' says all in its conditions
    const isPlain = hasCondition(asking) && !asking.topic.some((word) => stems.has(stem(word)))
    const patience = Math.max(MIN_TIMEOUT_MS, TIMEOUT_MS - waitedMs)
    const vector = isPlain ? null : ((await meaning.of([text], patience))?.[0] ?? null)
    // the vectors of several questions come at the same time
    await nextTurn()
    const ranked = intents.rank(text, vector)
    await nextTurn()
    const [best] = ranked
    const tools = { pool, products, passages, help, storeName }
    const context = { userId, text, typed, vector, asking, frame, tools }

    const lesson = best && best.score >= SURE.lesson ? taught.get(best.intent) : undefined
    if (lesson !== undefined)
      return draft({
        intent: best!.intent,
        confidence: Math.min(1, best!.score),
        text: lesson,
        tools: ['lessons'],
        sources: ['/help'],
        frame,
      })
    const inTheirs = otherLanguage(typed, known)
    if (inTheirs !== null) return readsEnglish(inTheirs, frame)
    if (wantsPerson(typed) && !asking.price && !asking.sort)
      return answerSocially('person', storeName, CONFIDENCE.person)
    if (best && SOCIAL_INTENTS.has(best.intent) && best.score >= SURE.social && !asking.sort && !asking.price)
      return answerSocially(best.intent, storeName, best.score)

    const ofShop = await rateProducts(context)
    const isAspectAlone = frame?.kind === 'products' && asking.topic.length === 0 && readAspect(text) !== 'find'
    const followed =
      frame && (goesOn(text) || isAspectAlone || asking.isCheaper) ? await follow(context, frame, ofShop, ranked) : null
    if (followed) return followed

    await nextTurn()
    const about = passages.rate(stemsOf(text), vector)
    const helped = new Map<string, number>()
    for (const { intent, score } of ranked)
      if (intent.startsWith('help:')) helped.set(intent.slice(5), Math.max(score, helped.get(intent.slice(5)) ?? 0))
    for (const { passage, score } of about.slice(0, MAX_PASSAGES))
      helped.set(passage.slug, scoreOfPassage(score, helped.get(passage.slug)))
    const [helpBest] = [...helped].toSorted(([, a], [, b]) => b - a)
    const mine = ranked.find(({ intent }) => PURCHASE_INTENTS.has(intent))
    const isMine = /\b(?:my|mine|i|ive|me|which of my)\b/i.test(
      text.replace(/^(?:do|can|may) i\b|\bshow me\b|\bi (?:need|want|am|like|look)\b|\bim\b/gi, ' '),
    )
    const range = ranked.find(({ intent }) => intent === 'range')

    const isTrouble = /\b(?:used|invalid|refused|expired|broken|fails?|failed|working)\b/.test(text)
    const isBought = isMine && !isTrouble && /\b(?:orders?|ordered|bought|purchased?|paid)\b/.test(text)
    const mineScore = scoreOfPurchases({ example: mine?.score, isMine, isBought, hasNumber: asking.order !== null })
    const helpScore = helpBest ? helpBest[1] : 0
    const shopScore = ofShop.score
    const top = Math.max(mineScore, helpScore, shopScore, range?.score ?? 0)
    if (top < SURE.rude && isRude(typed)) return answerSocially('abuse', storeName, CONFIDENCE.abuse)
    if (top < SURE.least) return unsure(context, top, helpBest?.[0])
    // a question that staff or the shop wrote down
    const asksForFree = asking.price?.to === 0
    if (best && best.score >= SURE.same && ofShop.named.length === 0 && !asksForFree) {
      if (PURCHASE_INTENTS.has(best.intent)) return answerAboutPurchases(best.intent, context, best.score)
      if (best.intent.startsWith('help:')) return answerFromHelp(context, best.intent.slice(5), best.score)
    }
    if (range && range.score === top) return answerAboutProducts({ ...context, aspect: 'range', confidence: top })
    if (mineScore === top) return answerAboutPurchases(mine?.intent ?? 'orders', context, top)
    if (shopScore === top) {
      const found = await answerAboutProducts({
        ...context,
        aspect: readAspect(text),
        confidence: top,
        found: ofShop.found,
        named: ofShop.named,
      })
      if (!found.isUnsure || helpScore < SURE.least) return found
    }
    return answerFromHelp(context, helpBest![0], Math.min(1, helpScore))
  }

  /** How well products on sale answer a question, and which. */
  async function rateProducts({ text, asking, vector }: Pick<Context, 'text' | 'asking' | 'vector'>) {
    const beyond = await products.readBeyond(asking.topic, asking)
    await nextTurn()
    const named = await products.namedIn(text, beyond)
    const found = await products.rate(asking.topic, vector, beyond)
    const best = { score: mostOf(found.scores), words: mostOf(found.words), meaning: mostOf(found.meanings) }
    const score = scoreOfShop({ text, asking, aspect: readAspect(text), best, named: named[0]?.words })
    return { named, found, score }
  }

  /** Goes on with what the last answer was about. Null when the question stands for itself. */
  async function follow(
    context: Context,
    frame: Frame,
    ofShop: Awaited<ReturnType<typeof rateProducts>>,
    ranked: { intent: string; score: number }[],
  ): Promise<Draft | null> {
    const { asking, text, vector } = context
    const [best] = ranked
    const aspect = readAspect(text)
    const isLimited = hasCondition(asking) || asking.isCheaper
    // a question that an example matches well is a new one
    const isElsewhere = best !== undefined && best.score >= GOING_ON.elsewhere && !isLimited
    if (frame.kind === 'products') {
      if (ofShop.named.length > 0 && beginsAgain(text))
        return answerAboutProducts({
          ...context,
          aspect: aspect === 'find' ? 'about' : aspect,
          confidence: CONFIDENCE.named,
          named: ofShop.named,
        })
      if (isElsewhere && aspect === 'find') return null
      if (
        best &&
        best.score >= GOING_ON.article &&
        best.intent.startsWith('help:') &&
        !isLimited &&
        (aspect === 'find' || best.score > GOING_ON.articleDespiteAspect)
      )
        return null
      if (isLimited || aspect !== 'find' || asking.nth !== null || asking.topic.length > 0) {
        const helped = context.tools.passages.rate(stemsOf(text), vector)[0]
        const onlyTopic = !isLimited && aspect === 'find' && asking.nth === null
        if (onlyTopic && (ofShop.score < GOING_ON.newTopic || (helped && helped.score > GOING_ON.passageDespiteTopic)))
          return null
        return answerAboutProducts({
          ...context,
          aspect,
          confidence: CONFIDENCE.products,
          found: ofShop.found,
          follows: frame,
          ...(onlyTopic && { isNewTopic: true }),
        })
      }
      return null
    }
    const [own] =
      frame.kind === 'help'
        ? passages.rate(stemsOf(text), vector).filter(({ passage }) => passage.slug === frame.slug)
        : []
    const isHere =
      own !== undefined && coverage(weighAll(stemsOf(text), passages.weigh), own.passage.stems) >= GOING_ON.here
    if (isLimited && asking.topic.length === 0 && !(isHere && asksOr(text))) return null
    if (frame.kind === 'orders') {
      const isOfShown = /^(?:is|was|are|were|which|how many)\b.*\b(?:it|they|that|order|things)\b/.test(text)
      if (isOfShown && !(best && best.score >= GOING_ON.articleDespiteShown && best.intent.startsWith('help:')))
        return answerAboutPurchases('follow', context, CONFIDENCE.orders)
      if (
        best &&
        best.score >= GOING_ON.intentAfterOrders &&
        (best.intent.startsWith('help:') || PURCHASE_INTENTS.has(best.intent))
      ) {
        if (best.intent.startsWith('help:')) return answerFromHelp(context, best.intent.slice(5), best.score)
        return answerAboutPurchases(best.intent, context, best.score)
      }
      const helped = context.tools.passages.rate(stemsOf(text), vector)[0]
      if (helped && helped.score > GOING_ON.passageAfterOrders && !/\b(?:it|which|paid|many)\b/i.test(text)) return null
      return answerAboutPurchases('follow', context, CONFIDENCE.orders)
    }
    if (frame.kind === 'help' && frame.slug) {
      if (isHere && !(best && best.score >= SURE.same)) return answerFromHelp(context, frame.slug, CONFIDENCE.passage)
      if (
        best &&
        best.score >= GOING_ON.otherArticle &&
        best.intent !== `help:${frame.slug}` &&
        best.intent.startsWith('help:')
      )
        return answerFromHelp(context, best.intent.slice(5), best.score)
      if (best && best.score >= GOING_ON.ordersAfterArticle && PURCHASE_INTENTS.has(best.intent)) return null
      const isElsewhereNow = ofShop.score > GOING_ON.shopAfterArticle && asking.topic.length > 0 && !asksForPart(text)
      if (ofShop.named.length > 0 || isElsewhereNow) return null
      return answerFromHelp(context, frame.slug, CONFIDENCE.sameArticle)
    }
    return null
  }

  return {
    answer,
    /** Staff changed what they taught: the next question reads it. */
    forgetLessons: () => (lessons = null),
    products,
    passages,
    /** Reads the shop and computes vectors before the first question. */
    warm: async () => void (await products.learn().catch(() => undefined)),
    /** How many texts still have no vector. */
    learned: async () => ({
      missing:
        (await products.ready()).items.filter(({ told }) => !told.vector).length +
        passages.missing() +
        intents.missing(),
    }),
  }
}

function mostOf(marks: Float64Array): number {
  let most = 0
  for (let i = 0; i < marks.length; i++) most = Math.max(most, marks[i]!)
  return most
}
