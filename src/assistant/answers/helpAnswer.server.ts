import type { Context } from './context.server.ts'
import type { Draft } from './answer.ts'
import { draft } from './draft.rules.ts'
import { coverage, stemsOf, tokensOf, weighAll } from './words.rules.ts'

/** Matches problems that a person should handle. */
const TROUBLE =
  /\b(?:already used|used already|was used|code (?:is )?(?:invalid|refused)|hacked|stolen|charged twice|double charged|two payments|no recovery code)\b/

const TIME = /\b\d+ (?:minutes?|hours?|days?)\b|\ban hour\b|\ba day\b/

/** Answers with the best passage of an article, verbatim, and a link to the article. */
export function answerFromHelp({ text, vector, tools }: Context, slug: string, confidence: number): Draft {
  const { passages, help } = tools
  const stems = stemsOf(text)
  const pieces = passages.rate(stems, vector).filter(({ passage }) => passage.slug === slug)
  const topic = new Set(stemsOf(help.keywordsOf(slug)))
  // Words in the topic of the article do not distinguish its passages.
  const telling = stems.filter((one) => !topic.has(one))
  const asked = weighAll(stems, passages.weigh)
  const tellingApart = telling.length > 0 ? weighAll(telling, passages.weigh) : asked
  const words = new Set(tokensOf(text))
  const isAboutTime = /\b(?:how (?:long|soon|many days)|when)\b/.test(text)
  const best = pieces
    .map(({ passage, near }) => ({
      passage,
      score:
        coverage(tellingApart, passage.stems) +
        0.3 * coverage(asked, passage.stems) +
        0.35 * Math.max(0, near - 0.3) +
        0.4 * likeness(words, new Set(tokensOf(passage.heading))) +
        (isAboutTime && TIME.test(passage.text) ? 0.3 : 0) +
        (passage === passages.first(slug) ? 0.22 : 0),
    }))
    .toSorted((a, b) => b.score - a.score)[0]
  const passage = best?.passage ?? passages.first(slug)!
  return draft({
    intent: `help:${slug}`,
    confidence,
    text: passage.text,
    articles: [slug],
    offersPerson: TROUBLE.test(text),
    tools: ['help'],
    sources: [`/help/${slug}`],
    frame: { kind: 'help', intent: `help:${slug}`, slug },
  })
}

/** The share of common words of two texts, from 0 to 1. */
const likeness = (a: Set<string>, b: Set<string>) => a.intersection(b).size / Math.max(1, a.union(b).size)
