import type { Sample } from '../../src/reviews/reviews.server.ts'
import type { CategoryId, Good } from './good.ts'

// Sample reviews of the demo store: 103 of five stars, 17 of four, 4 of three. About every third is stars alone.

const COUNT = 124
const DAY = 24 * 60 * 60 * 1000
/** For how long the demo store has been open, in days: its reviews are younger. */
export const DEMO_AGE = 240

const people =
  'Jonas Priya Amina Lucas Mei Sofia Tomas Grace Ravi Elena Kofi Hanna Diego Yuki Nora Omar Ines Felix Zara Anton Leila Marco Ruth Björn'.split(
    ' ',
  )
const initials = 'TSOKLMRBDAGPEW'

const praise: Record<CategoryId, string[]> = {
  'gift-cards': [
    'Sent it to my sister before the kettle had boiled. She loved it.',
    'Printed it, folded it, done. It looks like a real present.',
    'I forget birthdays. This has saved me twice now.',
    'Arrived at once and the code worked the first time.',
    'The design is much nicer than what shops usually mail.',
  ],
  crypto: [
    'Explains what happens without selling me anything. Rare.',
    'Short, sober and correct as far as I can tell.',
    'Finally understood what a seed phrase is for.',
    'I keep my records with it now. Simple, and it stays on my computer.',
    'Good for trying the checkout before doing it with real money.',
  ],
  prepaid: [
    'Does what it says. I used it to set a limit for myself.',
    'Clear about what it is and what it is not.',
    'Handy for the trip, and nothing to carry.',
    'Quick to get and easy to read on the phone.',
    'A neat way to give a teenager a budget.',
  ],
  ebooks: [
    'Read it in one sitting and began again the next evening.',
    'Well made: real chapters, a real table of contents, no filler.',
    'Opens on my old reader without any trouble.',
    'The second chapter alone was worth it.',
    'Quiet, exact and funny in places. I have sent it to two friends.',
  ],
  courses: [
    'Small lessons I could do on the train. I finished it, which never happens.',
    'Exercises first, theory after. That is how it should be.',
    'Plain language and no talking head. Thank you.',
    'My daughter and I did it together over a weekend.',
    'I came back to lesson two three times and learned more each time.',
  ],
  software: [
    'Unpacked, read the notes, running within five minutes.',
    'Tidy code that I could change where I needed to.',
    'It does one thing and leaves the rest of the machine alone.',
    'Saved me an afternoon of fiddling.',
    'Good examples, and they actually run.',
  ],
  audio: [
    'Warm sound, no hiss. It loops without a seam.',
    'Used it as the alarm on my phone. I no longer hate mornings.',
    'Exactly the calm I needed under a long video.',
    'Small file, clean recording, generous terms.',
    'My students asked where it comes from.',
  ],
}
const good = [
  'Very good. I would have liked a little more of it.',
  'Does the job well; the description could say more.',
  'Nice work. One small thing was not for me.',
  'Happy with it, and the download was instant.',
  'Nearly perfect. A few more examples would make it five.',
]
const fair = [
  'All right, though shorter than I had thought.',
  'Fine for the price, no more and no less.',
  'It works, but I had expected something else.',
  'Good idea, plain execution.',
]

const starsOf = (i: number) => (i % 31 === 30 ? 3 : i % 7 === 3 && i < 120 ? 4 : 5)

/** Always the same 124; the first goods have more of them, some have none. `now` dates them within the store's age. */
export function sampleReviews(goods: Good[], now = Date.now()): Sample[] {
  const said = new Set<string>()
  return Array.from({ length: COUNT }, (_, i) => {
    // the first six goods six times each, then every second good
    const of = goods[i < 36 ? i % 6 : (i * 2) % goods.length]!
    const stars = starsOf(i)
    const words = stars === 5 ? praise[of.categoryId] : stars === 4 ? good : fair
    const text = words[Math.floor(i / 6) % words.length]!
    const isSilent = ((i * 5 + Math.floor(i / 6)) % 3 === 2 && stars === 5) || said.has(of.id + text)
    said.add(of.id + text)
    return {
      productId: of.id,
      author: `${people[(i * 7) % people.length]!} ${initials[(i * 5) % initials.length]!}.`,
      stars,
      text: isSilent ? '' : text,
      createdAt: new Date(now - (1 + ((i * 37) % (DEMO_AGE - 2))) * DAY - (i % 24) * 3_600_000),
    }
  })
}
