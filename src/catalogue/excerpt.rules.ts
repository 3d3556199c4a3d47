/** A card has at most 18 words. Up to five of them belong to the price. */
const MAX_CARD_WORDS = 13

const SENTENCE = /^.+?[.!?](?=\s|$)/s

/** The start of a description that fits next to this title: a sentence, or its first words. */
export function excerptOf(description: string, title: string, maxWords = MAX_CARD_WORDS): string {
  const left = maxWords - wordsOf(title).length
  const words = wordsOf(SENTENCE.exec(description)?.[0] ?? description)
  if (left <= 0 || words.length === 0) return ''
  return words.length <= left
    ? words.join(' ')
    : `${words
        .slice(0, left)
        .join(' ')
        .replace(/[,;:.]$/, '')}…`
}

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean)
