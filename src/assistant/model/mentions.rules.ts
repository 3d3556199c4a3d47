import { isEmptyWord } from '../answers/words.rules.ts'
import { blank } from './figures.rules.ts'
import type { Facts, OrderFact, ProductFact } from './facts.rules.ts'

// Which products, orders and sums a sentence names, and which of them a figure or a status in it is about.

/** A title may stand for a product and for the orders that hold it; `isOrder` if its price is the total of an order. */
export type Subject = { product?: ProductFact; orders?: OrderFact[]; isOrder?: true; sum?: number | null }
export type Mention = { at: number; subject: Subject }

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
function placesOf(text: string, words: string) {
  // most names are not in the sentence
  if (!text.toLowerCase().includes(words.toLowerCase())) return []
  const pattern = String.raw`(?<![\p{L}\p{N}])${escaped(words)}(?![\p{L}\p{N}])`
  return [...text.matchAll(new RegExp(pattern, 'giu'))]
}

const MIN_LENGTH = 4

/** A title, its part before a comma or a colon, and the words that no other title has. */
function namesOf(titles: string[]): { name: string; titles: string[]; isWord: boolean }[] {
  const names = new Map<string, { titles: string[]; isWord: boolean }>()
  const add = (name: string, title: string, isWord: boolean) => {
    const known = names.get(name)
    if (!known) names.set(name, { titles: [title], isWord })
    else if (!known.titles.includes(title)) known.titles.push(title)
  }
  for (const title of titles) {
    add(title, title, false)
    const head = title.replace(/\s*[,:(–].*$/, '')
    if (head.length >= MIN_LENGTH) add(head, title, false)
    for (const [word] of title.matchAll(/\p{Lu}[\p{L}\p{N}]{3,}|\p{Lu}{3}/gu))
      if (!isEmptyWord(word.toLowerCase())) add(word, title, true)
  }
  return [...names]
    .map(([name, one]) => ({ name, ...one }))
    .filter(({ isWord, titles: of }) => !isWord || of.length === 1)
    .toSorted((a, b) => Number(a.isWord) - Number(b.isWord) || b.name.length - a.name.length)
}

/** The eight characters of an order's number. */
export const ORDER = /#?(?<![\p{L}\p{N}-])(?=[0-9a-f]*\d)[0-9a-f]{8}(?![\p{L}\p{N}-])/giu
export const orderOf = (said: string) => said.replace('#', '').toLowerCase()

const CREDIT =
  /(?<!\b(?:uses?|using|with|as|by) (?:your |the )?(?:store )?)\bcredit\b(?! (?:card|first|history|back))/gi
const SPENT = /\b(?:spent|spend|spending)\b/gi

/** Blanks what is named, so that the figures and states within titles and numbers of orders are not read as claims. */
export function mentionsIn(sentence: string, facts: Facts): { rest: string; mentions: Mention[] } {
  let rest = sentence
  const mentions: Mention[] = []
  const take = (at: number, said: string, subject: Subject) => {
    rest = blank(rest, [{ at, said }])
    mentions.push({ at, subject })
  }
  const namedOrders: OrderFact[] = []
  for (const { 0: said, index } of sentence.matchAll(ORDER)) {
    const order = facts.orders.get(orderOf(said))
    if (!order) continue
    namedOrders.push(order)
    take(index, said, { orders: [order], isOrder: true })
  }
  const orders = [...facts.orders.values()]
  const isAboutOrder = /\b(?:orders?|ordered|purchases?|bought)\b/i.test(sentence)
  const titles = new Set([...facts.products.keys(), ...orders.flatMap((order) => order.titles), ...facts.owned])
  // '24 hours' does not name 'Hours', and 'the moss book' names 'A Field Guide to Moss'
  for (const { name, titles: named, isWord } of namesOf([...titles])) {
    for (const { 0: said, index } of placesOf(rest, name)) {
      const isCased = isWord || !name.includes(' ')
      if (isCased && !said.startsWith(name[0]!) && !/\bthe\s$/i.test(rest.slice(0, index))) continue
      const subject = subjectOf(named, facts)
      // 'order 1a2b3c4d with Salt and Time': its amounts and its status are the order's
      const isPart = named.every((title) => namedOrders.some((order) => order.titles.includes(title)))
      if (isPart && namedOrders.length > 0) rest = blank(rest, [{ at: index, said }])
      else take(index, said, isAboutOrder && subject.orders ? { orders: subject.orders, isOrder: true } : subject)
    }
  }
  for (const { 0: said, index } of rest.matchAll(CREDIT)) take(index, said, { sum: facts.credit })
  for (const { 0: said, index } of rest.matchAll(SPENT)) take(index, said, { sum: facts.spent })
  return { rest, mentions: mentions.toSorted((a, b) => a.at - b.at) }
}

export function subjectOf(titles: string[], { products, orders }: Facts): Subject {
  const known = titles.flatMap((title) => products.get(title) ?? [])
  const bought = [...orders.values()].filter((order) => order.titles.some((title) => titles.includes(title)))
  const product =
    known.length === 0 ? undefined : { ...known[0]!, cents: new Set(known.flatMap(({ cents }) => [...cents])) }
  return { ...(product && { product }), ...(bought.length > 0 && { orders: bought }) }
}

/**
 * What each claim is about: all that is named between it and the claim before. Names before the first claim, and names after the last
 * one, count too: 'A costs $3, as does B' is about both.
 */
export function subjectsOf(claims: readonly { at: number }[], mentions: readonly Mention[]): Subject[][] {
  const places = [...new Set(claims.map(({ at }) => at))].toSorted((a, b) => a - b)
  const isLed = mentions.length > 0 && mentions[0]!.at > (places[0] ?? Infinity)
  const all = mentions.map(({ subject }) => subject)
  const after = mentions.filter(({ at }) => at > places.at(-1)!).map(({ subject }) => subject)
  const byPlace = new Map<number, Subject[]>()
  let before: Subject[] = []
  places.forEach((at, i) => {
    const own = mentions.filter((one) => one.at < at && one.at > (places[i - 1] ?? -1)).map(({ subject }) => subject)
    before = isLed ? all : own.length > 0 ? own : before
    byPlace.set(at, i === places.length - 1 ? [...new Set([...before, ...after])] : before)
  })
  return claims.map(({ at }) => byPlace.get(at)!)
}
