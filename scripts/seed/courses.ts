// Long because the lessons stand in it.
import type { Book } from './books.ts'

/** A short written course: its lessons as Markdown and the lines of its worksheet as CSV, in one ZIP. */
export type Course = Book & { worksheet: string[] }

export const courses: Course[] = [
  {
    slug: 'plan-a-small-website',
    title: 'Plan a Small Website in an Evening',
    price: '12.00',
    description:
      'A short written course of three lessons with a worksheet, for people whose club or shop needs a website and who have one evening. You end with a list of pages, a sketch of the first one, and nothing to pay. Text files and a table, no video.',
    worksheet: ['page,job,one thing to press', 'Start,,', 'What we offer,,', 'Prices,,', 'About us,,', 'Contact,,'],
    sections: [
      {
        heading: 'One sentence',
        paragraphs: [
          'Write one sentence that says who comes to the site and what they want to know first. For a swimming club it is likely not its history but when the pool is open. Everything that does not serve the sentence goes on the second page.',
          'Exercise: ask three people what they would look for. Write their words down as they said them, for those are your headings.',
        ],
      },
      {
        heading: 'Five pages',
        paragraphs: [
          'Most small sites need five pages: start, what we offer, prices, about us, contact. Give each one job and one thing to press.',
          'Exercise: fill in the worksheet, one row a page. A row you cannot fill is a page you do not need.',
        ],
      },
      {
        heading: 'The sketch',
        paragraphs: [
          'Draw the first page on paper, at the size of a phone. Heading, one paragraph, one button, opening times, address. If it does not fit on the paper, it does not fit on the phone.',
          'Exercise: show the sketch for five seconds, hide it, and ask what the page was about.',
        ],
      },
    ],
  },
  {
    slug: 'spreadsheets-without-fear',
    title: 'Spreadsheets Without Fear',
    price: '15.00',
    description:
      'Three written lessons for people who use a spreadsheet as a notepad and suspect that it can do more. Sorting without breaking things, three formulas that do most of the work, and a table that somebody else can read. Text files with a practice table.',
    worksheet: [
      'date,what,amount',
      '2024-01-09,Hall hire,60.00',
      '2024-01-23,Tea and biscuits,14.20',
      '2024-02-06,Hall hire,60.00',
      '2024-02-20,Printing,22.50',
      ',,',
      '2024-03-05,Hall hire,60.00',
      '2024-03-19,Tea and biscuits,11.80',
    ],
    sections: [
      {
        heading: 'One row, one thing',
        paragraphs: [
          'Most trouble begins with a table made to look good on paper. Let each row be one thing, each column one fact about it, and the first row the names of the facts. No empty rows and no merged cells.',
          'Exercise: open the practice table and sort it by amount. If a single row was left behind, find the empty line that cut the table in two.',
        ],
      },
      {
        heading: 'Three formulas',
        paragraphs: [
          'SUM adds up. COUNTIF counts the rows that match. A lookup finds a fact in another table by a key. With these three you can answer nearly every question a treasurer is asked.',
          'Exercise: how much was spent in each month, and how often?',
        ],
      },
      {
        heading: 'For the next person',
        paragraphs: [
          'Put a first sheet named Read me with three lines: what this is, who keeps it, what may be changed. Colour the cells that are typed in, and only those.',
          'Exercise: give the file to somebody and watch without speaking. Every question they ask is a line for the first sheet.',
        ],
      },
    ],
  },
  {
    slug: 'speak-for-five-minutes',
    title: 'Speak for Five Minutes',
    price: '9.00',
    description:
      'A written course for the speech you have been asked to give on Saturday. Three lessons: one thought, three stories, and what to do with your hands; with a sheet for planning your minutes.',
    worksheet: [
      'minute,what happens,five words for the card',
      '0:00,First story,',
      '1:30,Second story,',
      '2:45,Third story,',
      '4:15,The thought,',
      '4:45,Thanks,',
    ],
    sections: [
      {
        heading: 'One thought',
        paragraphs: [
          'Five minutes hold one thought. Say it to a friend in a single breath; if you need two, you have two speeches, and you may choose.',
          'Exercise: finish the sentence "I would like them to go home and..." Write nothing else today.',
        ],
      },
      {
        heading: 'Three stories',
        paragraphs: [
          'Nobody remembers an argument, and everybody remembers the uncle with the boat. Find three small true stories that lead to the thought and put the best one last.',
          'Exercise: tell each of them aloud with a clock. A story longer than ninety seconds wants to be shorter.',
        ],
      },
      {
        heading: 'The hands',
        paragraphs: [
          'Hold one card, with five words on it. It keeps the hands still and tells the room that you prepared. Look at one face for a whole sentence, then at another.',
          'Exercise: give the speech to a wall, then to one person. Stop after that. A speech can be practised to death.',
        ],
      },
    ],
  },
  {
    slug: 'first-steps-in-sewing',
    title: 'First Steps in Hand Sewing',
    price: '8.00',
    description:
      'Three written lessons with a needle, a thread and a shirt that lost a button. The running stitch, the button and the hem, each explained in steps that can be read while both hands are busy.',
    worksheet: [
      'exercise,first try,second try',
      'Stitches in ten centimetres,,',
      'Minutes for one button,,',
      'Minutes for one hem,,',
    ],
    sections: [
      {
        heading: 'The running stitch',
        paragraphs: [
          'Cut the thread as long as your forearm, no longer, or it knots. Knot the end. In and out along a line, each stitch as long as a grain of rice, and pull until the cloth lies flat, not until it gathers.',
          'Exercise: sew a line as long as your hand, then one beside it. Compare the first five stitches with the last five.',
        ],
      },
      {
        heading: 'The button',
        paragraphs: [
          'Lay a match across the button and sew over it, four times through each pair of holes. Take out the match, wind the thread five times round the loose threads under the button, and knot it at the back. The gap leaves room for the buttonhole.',
          'Exercise: sew on the button that has been in the drawer since spring.',
        ],
      },
      {
        heading: 'The hem',
        paragraphs: [
          'Fold twice, press, and pin every hand’s width. Catch two threads of the outer cloth with the needle, then run a finger’s width through the fold. From outside it can hardly be seen.',
          'Exercise: hem a tea towel. It will be forgiving.',
        ],
      },
    ],
  },
  {
    slug: 'photograph-your-own-things',
    title: 'Photograph Things to Sell',
    price: '14.00',
    description:
      'A written course for anybody who sells things online and has a phone and a window. Three lessons on light, background and the five pictures that each listing needs; with a checklist table.',
    worksheet: ['thing,whole,back,detail,in a hand,worst scratch', ',,,,,', ',,,,,', ',,,,,'],
    sections: [
      {
        heading: 'The window',
        paragraphs: [
          'Stand the thing one arm’s length from a window without direct sun, and turn off every lamp. Put a white sheet of paper on the side away from the window: it gives half the light back.',
          'Exercise: take the same picture with and without the paper, and lay them side by side.',
        ],
      },
      {
        heading: 'The background',
        paragraphs: [
          'Tape a large sheet of pale paper to the wall so that it curves down over the table. No edge, no horizon. Wood looks good once and busy twenty times.',
          'Exercise: photograph three things of different size without moving the paper.',
        ],
      },
      {
        heading: 'Five pictures',
        paragraphs: [
          'The whole thing. The back. A detail that shows the material. The thing in a hand, for its size. Its worst scratch, in focus: it saves you the letter that would come afterwards.',
          'Exercise: take all five of one thing, in under five minutes, with the checklist.',
        ],
      },
    ],
  },
  {
    slug: 'budget-in-four-envelopes',
    title: 'A Budget in Four Envelopes',
    price: '10.00',
    description:
      'Three short lessons on keeping household money without an app: four envelopes, one evening a month, one table. Includes the table as a CSV file. It gives no advice on investments.',
    worksheet: [
      'month,must,food,life,later,paid in',
      'January,,,,,',
      'February,,,,,',
      'March,,,,,',
      'April,,,,,',
      'May,,,,,',
      'June,,,,,',
    ],
    sections: [
      {
        heading: 'Four envelopes',
        paragraphs: [
          'Must, food, life, later. Rent and power are must. What you eat is food. What you enjoy is life. What you will be glad of is later. They may be real envelopes or four accounts.',
          'Exercise: put last month’s payments into the four. Do not judge them. Add them up.',
        ],
      },
      {
        heading: 'One evening',
        paragraphs: [
          'On the day after you are paid, fill later first, then must, then food. What is left is life, and you may spend it all without a second thought, which is the point.',
          'Exercise: choose the evening and write it into the calendar for six months.',
        ],
      },
      {
        heading: 'When it does not fit',
        paragraphs: [
          'If must is more than half, no envelope will help; look at the largest line of it, once, for an hour. If food surprises you, write it down for two weeks and it will shrink by itself.',
          'Exercise: find one payment that you had forgotten. There is always one.',
        ],
      },
    ],
  },
  {
    slug: 'read-music-slowly',
    title: 'Read Music, Slowly',
    price: '11.00',
    description:
      'A written course of three lessons for grown-ups who sing along and would like to see what they sing. Lines and spaces, long and short, and a first tune to be read in one go.',
    worksheet: [
      'sign,name,beats',
      'Empty head without stem,Whole note,4',
      'Empty head with stem,Half note,2',
      'Full head with stem,Quarter note,1',
      'Full head with one flag,Eighth note,0.5',
    ],
    sections: [
      {
        heading: 'Lines and spaces',
        paragraphs: [
          'Five lines, four spaces, and the higher on the page the higher the sound. The curl of the treble clef winds round the second line from below and calls it G. From there count up and down through the alphabet, which has seven letters and begins again.',
          'Exercise: name the notes on the lines from below: E, G, B, D, F. Now the spaces: F, A, C, E.',
        ],
      },
      {
        heading: 'Long and short',
        paragraphs: [
          'An empty head without a stem lasts four beats, with a stem two, a full head one, and with a flag half of one. Clap them while your foot keeps walking.',
          'Exercise: clap 1, 1, 2; then half, half, 1, 2. Say the numbers aloud.',
        ],
      },
      {
        heading: 'A first tune',
        paragraphs: [
          'G G A G C B, G G A G D C. Say the letters in rhythm, then hum them, then look up what it is. You knew it all along, which is how reading is learned: by recognising.',
          'Exercise: write down the first line of a song you love in letters. Sing from the letters only.',
        ],
      },
    ],
  },
  {
    slug: 'write-a-clear-email',
    title: 'Write an Email That Gets an Answer',
    price: '7.50',
    description:
      'Three lessons for people who write many emails and receive few answers. The subject, the first line and the question, with a table of twelve sentences to use instead of others.',
    worksheet: [
      'instead of,write',
      'Question,Yes or no by Friday?',
      'I hope this finds you well,(leave it out)',
      'I just wanted to ask,Please',
      'As soon as possible,By 4 pm on Tuesday',
      'Any thoughts?,Do you prefer A or B?',
      'Sorry to bother you,Thank you for your time',
      'As per my last email,On Monday I asked',
      'Let me know,Please answer by Thursday',
      'We should meet,Are you free on Monday at 10?',
      'See attached,The attached page has the three prices',
      'There was an issue,I forgot to send it',
      'Going forward,From now on',
    ],
    sections: [
      {
        heading: 'The subject',
        paragraphs: [
          'A subject is a label on a drawer. "Question" is not one, and "Room for 12 March: yes or no by Friday?" is. The reader should be able to answer without opening it.',
          'Exercise: write new subjects for the last five emails you sent.',
        ],
      },
      {
        heading: 'The first line',
        paragraphs: [
          'Put what you want into the first line. Reasons come afterwards, for those who need them. Nobody has ever been offended by being told early.',
          'Exercise: find your request in an old email. Count the lines above it. Delete them.',
        ],
      },
      {
        heading: 'One question',
        paragraphs: [
          'Two questions get one answer, usually to the easier. Ask one, offer two choices, name a day. If you have three questions, number them and say that there are three.',
          'Exercise: rewrite one email from the worksheet so that it can be answered with one word.',
        ],
      },
    ],
  },
  {
    slug: 'know-ten-birds',
    title: 'Know Ten Birds by Ear',
    price: '13.00',
    description:
      'A written course for early risers: ten common garden birds of Europe and the words by which their songs are remembered. Three lessons and a tally sheet; the birds themselves supply the sound.',
    worksheet: [
      'bird,Mon,Tue,Wed,Thu,Fri,Sat,Sun',
      'Blackbird,,,,,,,',
      'Great tit,,,,,,,',
      'Wren,,,,,,,',
      'Chaffinch,,,,,,,',
      'Robin,,,,,,,',
      'Dunnock,,,,,,,',
      'Goldfinch,,,,,,,',
      'Chiffchaff,,,,,,,',
      'Cuckoo,,,,,,,',
      'Wood pigeon,,,,,,,',
    ],
    sections: [
      {
        heading: 'The four loud ones',
        paragraphs: [
          'Blackbird: a flute that thinks before each phrase, from the highest point at dusk. Great tit: a squeaky pump, tea-cher, tea-cher. Wren: a long rattling sentence, far too loud for its size. Chaffinch: runs up and bowls, with a flourish at the end.',
          'Exercise: sit outside at six in the morning for ten minutes in April. Tally only these four.',
        ],
      },
      {
        heading: 'The three quiet ones',
        paragraphs: [
          'Robin: thin, silvery and sad, even in winter and under street lamps. Dunnock: a short hurried wheel that wants oil. Goldfinch: liquid tinkling, as of small glass.',
          'Exercise: find the robin. It is usually nearer than you think, at the height of your knee.',
        ],
      },
      {
        heading: 'The three that say their names',
        paragraphs: [
          'Chiffchaff, cuckoo, and the wood pigeon, which says: my toe hurts, Betty. Once you have heard these words you will never be free of them.',
          'Exercise: add up the tally sheets of a week. You know ten birds.',
        ],
      },
    ],
  },
]
