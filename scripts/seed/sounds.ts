import type { Listing } from './good.ts'

/** How a tone begins and dies. */
export type Voice = 'bell' | 'pluck' | 'wood' | 'pad'

/** A short recording to be synthesised: notes of `scale` (semitones above `root` in Hz), `pace` a second. */
export type Sound = Listing & { voice: Voice; seconds: number; root: number; scale: number[]; pace: number }

const major = [0, 2, 4, 7, 9, 12, 14, 16]
const minor = [0, 3, 5, 7, 10, 12, 15, 17]
const lydian = [0, 4, 6, 7, 11, 12, 16, 19]

const sound = (
  slug: string,
  title: string,
  price: string,
  description: string,
  [voice, seconds, root, scale, pace]: [Voice, number, number, number[], number],
  isFeatured?: boolean,
): Sound => ({
  slug,
  title,
  price,
  description: `${description} A mono WAV file of ${seconds} seconds, 16 bits at 22.05 kHz, free to use in your own work.`,
  isFeatured,
  voice,
  seconds,
  root,
  scale,
  pace,
})

export const sounds: Sound[] = [
  sound(
    'morning-bells',
    'Morning Bells',
    '2.50',
    'A wake-up chime of small bells, for people who wake easily.',
    ['bell', 5, 392, major, 3],
    true,
  ),
  sound(
    'harbour-at-dusk',
    'Harbour at Dusk',
    '3.00',
    'Slow, warm tones in a minor key, for the opening of a quiet film.',
    ['pad', 5, 146.83, minor, 1],
  ),
  sound('wooden-steps', 'Wooden Steps', '2.00', 'A short run on wooden bars, for a page turned or a level passed.', [
    'wood',
    3,
    261.63,
    major,
    6,
  ]),
  sound('kitchen-timer', 'Kitchen Timer', '1.00', 'A bright plucked call that is heard over a boiling pot.', [
    'pluck',
    2,
    523.25,
    major,
    7,
  ]),
  sound('glass-rain', 'Glass Rain', '3.50', 'Bell tones falling like drops, for waiting rooms and menus.', [
    'bell',
    5,
    587.33,
    lydian,
    5,
  ]),
  sound('night-train', 'Night Train', '4.00', 'Low plucked notes in an even walk, for a podcast that travels.', [
    'pluck',
    5,
    110,
    minor,
    4,
  ]),
  sound('small-fanfare', 'Small Fanfare', '1.50', 'Something good has happened, though not to everybody.', [
    'pluck',
    2,
    349.23,
    major,
    5,
  ]),
  sound(
    'monday-logo',
    'Monday Logo',
    '5.00',
    'A sound logo of a few wooden notes for a firm that is friendly before noon.',
    ['wood', 2, 329.63, lydian, 4],
  ),
  sound('first-snow', 'First Snow', '3.00', 'Long, pale tones for pictures of winter or for falling asleep.', [
    'pad',
    5,
    220,
    lydian,
    1,
  ]),
  sound('ticket-punched', 'Ticket Punched', '1.00', 'A few dry wooden taps, for a button that matters.', [
    'wood',
    2,
    440,
    minor,
    3,
  ]),
]
