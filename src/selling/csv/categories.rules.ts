type Named = { id: string; name: string }

const WORDS: Record<string, string[]> = {
  'gift-cards': ['gift card', 'giftcard', 'voucher'],
  crypto: ['crypto', 'cryptocurrency'],
  prepaid: ['prepaid', 'visa card'],
  ebooks: ['ebook', 'e book', 'book', 'guide', 'epub'],
  courses: ['course', 'class', 'lesson', 'tutorial', 'workshop'],
  software: ['software', 'app', 'application', 'plugin', 'program', 'game'],
  audio: ['audio', 'audiobook', 'music', 'sound', 'sample', 'beat', 'loop', 'podcast', 'recording'],
}

const plain = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Finds the category by its id or name in a text, otherwise by a word for its goods. Earlier texts have priority. */
export function categoryOf(texts: string[], categories: Named[]): string | null {
  const given = texts.map(plain).filter((text) => text.trim() !== '')
  const isNamed = (text: string, { id, name }: Named) => text === plain(id) || text === plain(name)
  for (const text of given) {
    const named = categories.find((category) => isNamed(text, category))
    if (named) return named.id
  }
  for (const text of given) {
    const meant = categories.find(({ id }) =>
      WORDS[id]?.some(
        (word) => text.includes(` ${word} `) || text.includes(` ${word}s `) || text.includes(` ${word}es `),
      ),
    )
    if (meant) return meant.id
  }
  return null
}
