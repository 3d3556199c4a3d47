import type { Draft } from '../answers/answer.ts'

/** A sentence of the shop with its cards and pages. A language model chooses it by its id. */
export type Fact = Pick<Draft, 'text'> & Partial<Draft>
export type Facts = Map<string, Fact>

/** Adds a fact and returns its form for the model. Equal sentences about the same things share an id. */
export function addFact(facts: Facts, kind: string, fact: Fact): { id: string; says: string } {
  const [known] = [...facts].find(([, other]) => covers(other, fact)) ?? []
  const id = known ?? `${kind}-${facts.size + 1}`
  if (known === undefined) facts.set(id, fact)
  return { id, says: fact.text }
}

const CARDS = ['products', 'orders', 'articles'] as const

/** True if the known fact has the same sentence and all cards of the new one. */
const covers = (known: Fact, fact: Fact) =>
  known.text === fact.text && CARDS.every((card) => (fact[card] ?? []).every((id) => known[card]?.includes(id)))

const MAX_CHOSEN = 5
const MAX_LENGTH = 1_500

export function openChoice(facts: Facts) {
  const chosen = new Set<Fact>()
  const unknown = new Set<string>()
  const text = () => [...chosen].map((fact) => fact.text).join('\n')
  return {
    text,
    /** Returns how many ids match no fact. */
    dropped: () => unknown.size,
    /** Reads the ids of a turn that have arrived so far. Returns true if they add a sentence. */
    read(ids: string[]): boolean {
      const before = chosen.size
      for (const id of ids) {
        const fact = facts.get(id)
        if (!fact) unknown.add(id)
        else if (chosen.size < MAX_CHOSEN && text().length + fact.text.length < MAX_LENGTH) chosen.add(fact)
      }
      return chosen.size > before
    },
    /** Joins the chosen facts into an answer. Returns null if nothing is chosen. */
    answer: (local: Draft): Draft | null => (chosen.size === 0 ? null : joinFacts(local, [...chosen])),
  }
}

function joinFacts(local: Draft, chosen: Fact[]): Draft {
  const all = (part: 'products' | 'orders' | 'articles' | 'sources') => [
    ...new Set(chosen.flatMap((fact) => fact[part] ?? [])),
  ]
  return {
    ...local,
    text: chosen.map(({ text }) => text).join('\n'),
    products: all('products').slice(0, MAX_CHOSEN),
    orders: all('orders').slice(0, MAX_CHOSEN),
    articles: all('articles').slice(0, MAX_CHOSEN),
    sources: all('sources'),
    isUnsure: local.isUnsure || chosen.some(({ isUnsure }) => isUnsure),
    offersPerson: local.offersPerson || chosen.some(({ offersPerson }) => offersPerson),
    confidence: local.isUnsure ? local.confidence : Math.max(local.confidence, 0.5),
  }
}
