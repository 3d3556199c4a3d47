// Long because the text of the books stands in it.
import type { Listing, Section } from './good.ts'

export type Book = Listing & { sections: Section[] }

export const books: Book[] = [
  {
    slug: 'salt-and-time',
    title: 'Salt and Time',
    price: '4.50',
    isFeatured: true,
    description:
      'A short book about keeping vegetables with nothing but salt, a jar and patience. Three chapters: the brine, the jar, and what to do when it goes wrong. For cooks who have a cabbage and a free shelf.',
    sections: [
      {
        heading: 'The brine',
        paragraphs: [
          'Weigh the vegetables, then weigh out two grams of salt for every hundred grams of them. That is the whole recipe. Spoons lie, because coarse salt fills a spoon with air; scales do not.',
          'Rub the salt in with your hands and wait an hour. The cabbage weeps, and what it weeps is the brine. If it does not cover the leaves when you press them down, make up the rest with water in which twenty grams of salt to the litre have been dissolved.',
        ],
      },
      {
        heading: 'The jar',
        paragraphs: [
          'Any clean jar will do, provided that everything stays under the liquid. A smaller jar filled with water makes a good weight. Leave three fingers of room at the top, for in the first week the jar will breathe and push.',
          'Stand it on a plate, out of the sun, where the room is as warm as you like to be yourself. Open it once a day for the first five days to let the gas out. You will hear it.',
        ],
      },
      {
        heading: 'When it goes wrong',
        paragraphs: [
          'A white film on the surface is yeast: dull, harmless, and easily lifted off. Anything furry or pink is not, and the jar goes on the compost without a taste.',
          'Soft cabbage was too warm or had too little salt. Sour enough is a matter of opinion, so taste from the seventh day on, and move the jar to the cold when you like it. There it will keep for half a year.',
        ],
      },
    ],
  },
  {
    slug: 'field-guide-to-moss',
    title: 'A Field Guide to Moss',
    price: '5.00',
    description:
      'How to look at the smallest forest there is, with a cheap lens and wet knees. Three chapters on where moss lives, how to tell the common shapes apart, and how to keep a moss diary.',
    sections: [
      {
        heading: 'Where to kneel',
        paragraphs: [
          'Begin with the north side of a wall. Moss has no roots to speak of and drinks through its leaves, so it grows where water stays and passing feet do not. The foot of a drainpipe is better than most woods.',
          'Go after rain. A moss that looked dead on Tuesday opens on Wednesday within minutes, and the leaf you need to see is only visible when it is wet.',
        ],
      },
      {
        heading: 'Cushions, carpets and feathers',
        paragraphs: [
          'There are thousands of kinds and three habits. Cushions grow upright and close together, like a pincushion on a roof. Carpets creep and branch over soil. Feathers lie flat in shade and divide twice or thrice, as a fern does.',
          'Write down the habit first. It halves the work, and unlike the colour it does not change between summer and winter.',
        ],
      },
      {
        heading: 'A moss diary',
        paragraphs: [
          'Choose one square of wall, no larger than your hand, and visit it every second Sunday. Draw its outline. In the first month you will think that nothing happens.',
          'By the end of a year the outline has moved by the width of a pencil, and you will have seen the capsules rise, ripen and empty. Few things that slow are so near the front door.',
        ],
      },
    ],
  },
  {
    slug: 'the-slow-commute',
    title: 'The Slow Commute',
    price: '3.50',
    description:
      'Notes on getting to work by the second fastest way. A short book of three walks that replace one stop of a bus or train each, with what to look at and how to be on time all the same.',
    sections: [
      {
        heading: 'One stop early',
        paragraphs: [
          'Leave the train one stop before yours. It costs twelve minutes, most of which you would have spent at the lights or in the lift. Do it on the way home first, when nobody is waiting.',
          'Walk the same way for a week before you vary it. On the first day you see shops, on the third day people, and on the fifth the one window with the cat.',
        ],
      },
      {
        heading: 'The bad weather rule',
        paragraphs: [
          'Rain is the reason most people give, so count it. In a year of keeping a tally the author was properly wet on nine mornings. A coat that packs into its own pocket has settled the matter since.',
          'The rule is simple: decide at the door, never at the window. Weather looks worse through glass.',
        ],
      },
      {
        heading: 'What the minutes are for',
        paragraphs: [
          'A commute is the only part of the day in which nobody may ask you for anything. To fill it with calls is to give it away.',
          'Keep one question for the walk and do not answer it. By the second bridge it has usually answered itself.',
        ],
      },
    ],
  },
  {
    slug: 'notes-on-paper',
    title: 'Notes on Paper',
    price: '3.00',
    description:
      'A small defence of writing things down by hand. Three chapters on choosing a notebook, on a page that can be found again, and on throwing old notes away.',
    sections: [
      {
        heading: 'The right notebook is thin',
        paragraphs: [
          'Thick notebooks are bought in hope and abandoned in March. Take one of forty pages, because a full notebook is a pleasure, and pleasures are repeated.',
          'It should cost little enough that you write nonsense in it. Most good sentences were the second sentence after a bad one.',
        ],
      },
      {
        heading: 'A page that can be found again',
        paragraphs: [
          'Number the pages and leave the first one empty. When a page turns out to matter, write its number and three words on that first page. That is an index, and it takes four seconds.',
          'Date every entry at the top right, where a thumb can flick past it. Sort by nothing else: memory is better with dates than with subjects.',
        ],
      },
      {
        heading: 'Throwing away',
        paragraphs: [
          'Once a year read the old notebooks in one sitting. Copy what still stings or shines into the new one, which is seldom more than two pages.',
          'Then let the rest go. A note has done its work when you wrote it; what is kept for ever is read by no one.',
        ],
      },
    ],
  },
  {
    slug: 'bread-on-weekdays',
    title: 'Bread on Weekdays',
    price: '4.00',
    description:
      'One dough, mixed in five minutes at night and baked before work. Three chapters with exact weights: the dough, the morning, and four things to add when it gets dull.',
    sections: [
      {
        heading: 'Five minutes at night',
        paragraphs: [
          'In a bowl with a lid mix 500 g of strong flour, 10 g of salt and 1 g of dry yeast, which is a third of a level teaspoon. Add 360 g of cold water and stir until no flour is dry. Put the lid on and go to bed.',
          'There is nothing to knead. Ten hours do with time what ten minutes do with your arms, and the bread tastes better for it.',
        ],
      },
      {
        heading: 'The morning',
        paragraphs: [
          'Heat the oven to 240 degrees with a lidded iron pot inside. Tip the dough on to flour, fold its four sides to the middle, turn it over and let it lie while the oven warms.',
          'Lower it into the pot on a sheet of paper. Thirty minutes with the lid, twelve without. Knock on its base: a hollow sound means that it is done.',
        ],
      },
      {
        heading: 'Four additions',
        paragraphs: [
          'Replace 100 g of the flour by rye and add 20 g of water. Or stir in 60 g of oats with 60 g of water. Or 80 g of walnuts. Or a cold boiled potato, mashed, which keeps the loaf soft for three days.',
          'Add one thing at a time. Bread with everything in it tastes of nothing in particular.',
        ],
      },
    ],
  },
  {
    slug: 'learning-to-draw-trees',
    title: 'Learning to Draw Trees',
    price: '5.50',
    description:
      'A book for people who can draw a lollipop and would like to draw an oak. Three exercises, one pencil, and the reason why branches get thinner.',
    sections: [
      {
        heading: 'Winter first',
        paragraphs: [
          'Begin in winter. Leaves are a distraction: they hide the only thing about a tree that is hard, which is how it holds itself up. Stand far enough away to see all of it without moving your head.',
          'Draw only the trunk and the first three branches, in one minute. Throw the sheet away. Do that ten times and keep the eleventh.',
        ],
      },
      {
        heading: 'The rule of the fork',
        paragraphs: [
          'Where a branch divides, the two parts together are about as thick as what they came from. Painters have known this for five centuries, and it is nearly true.',
          'So never draw a branch that gets thinner between forks. Let it keep its width, divide, and only then be thinner. The tree will look grown rather than poured.',
        ],
      },
      {
        heading: 'Leaves as weather',
        paragraphs: [
          'When summer comes, do not draw leaves. Draw the shadow under each mass of leaves with the side of the pencil, and leave the light parts as paper.',
          'Add single leaves at the edge, where the sky shows through; seven are enough. The eye supplies the other thousand.',
        ],
      },
    ],
  },
  {
    slug: 'the-patient-gardener',
    title: 'The Patient Gardener: twelve jobs for small plots',
    price: '4.00',
    description:
      'Three short chapters on gardening where there is hardly any room: a step, a sill, or two square metres behind a fence. Twelve jobs in the order of the year, each done in under an hour.',
    sections: [
      {
        heading: 'Winter and the four quiet jobs',
        paragraphs: [
          'January: sharpen the one tool you use most. February: scrub the pots, for most diseases spend the winter in last year’s soil. Write down what failed, while you still remember why. March: put the compost where you will need it, before you need it.',
          'None of these looks like gardening. All of them are done in an hour, and each saves one in May.',
        ],
      },
      {
        heading: 'Spring and summer',
        paragraphs: [
          'April: sow little, and again a fortnight later, so that not all the lettuce is ready on one Tuesday. May: harden young plants by carrying them out for a week and in again at night. June: water deeply twice a week instead of lightly every day.',
          'July: cut whatever has flowered. A plant that may not set seed tries again. August: ask a neighbour to eat the beans while you are away; an unpicked bean tells the plant to stop.',
        ],
      },
      {
        heading: 'Autumn',
        paragraphs: [
          'September: take cuttings of anything you would be sorry to lose. October: plant bulbs at three times their own depth, points up; and if you cannot find the point, lay them on their side. November: leave the seed heads for the birds and the stems for the beetles.',
          'December: do nothing. A small garden is made by somebody who looks at it, and in December there is time to look.',
        ],
      },
    ],
  },
  {
    slug: 'small-rooms-well-lit',
    title: 'Small Rooms, Well Lit',
    price: '4.50',
    description:
      'How to light a small flat with four lamps and no electrician. Three chapters on where light should come from, how warm it should be, and why the ceiling lamp stays off.',
    sections: [
      {
        heading: 'Turn off the ceiling',
        paragraphs: [
          'One lamp in the middle of the ceiling lights every corner equally, which is why the room looks small: there is nothing left to find. Turn it off for an evening and use whatever lamps you own.',
          'Light wants to be in three places: by the chair, by the door, and on a wall. The wall matters most. A lit wall moves away from you.',
        ],
      },
      {
        heading: 'Warm, and warmer',
        paragraphs: [
          'Bulbs are sold by temperature. Around 2700 kelvin is the colour of an old bulb, 4000 that of an office. Mixing them in one room makes both look wrong.',
          'Buy one kind for the whole flat and one spare. Nobody ever remembers what the box said.',
        ],
      },
      {
        heading: 'The height of the eye',
        paragraphs: [
          'A lamp that you can see into is too high or too bare. Sit down where you sit, and lower or turn each lamp until only the shade is visible.',
          'Then do the same standing in the doorway. Most rooms are entered more often than they are sat in, and the first glance is the one guests remember.',
        ],
      },
    ],
  },
  {
    slug: 'letters-left-unsent',
    title: 'Letters Left Unsent: how to write the hard ones',
    price: '3.00',
    description:
      'A practical little book about letters that are difficult: the apology, the refusal and the condolence. Three chapters, each with a plan of four sentences to begin from.',
    sections: [
      {
        heading: 'The apology',
        paragraphs: [
          'Four sentences. What you did, in plain words and without the word if. What it cost the other person, as far as you understand it. What you have changed already. That no answer is needed.',
          'Leave out the reason. A reason belongs in a second letter, and only when somebody asks for it.',
        ],
      },
      {
        heading: 'The refusal',
        paragraphs: [
          'Say no in the first line, so that nobody has to read a letter twice to find it. Thank them in the second, for being asked is a kind of praise. Give one reason or none, never three.',
          'If there is something you can do instead, offer it in the last line with a date. An offer without a date is another way of saying no.',
        ],
      },
      {
        heading: 'The condolence',
        paragraphs: [
          'Name the person who died. Tell one small thing that you remember about them, the smaller the better. Say that you are sorry, in those words. Promise only what you will do this week.',
          'It may be three lines long. It will be kept.',
        ],
      },
    ],
  },
  {
    slug: 'the-evening-sky',
    title: 'The Evening Sky',
    price: '3.50',
    description:
      'What can be seen from a town balcony without a telescope, in three chapters: the moon, the bright wanderers, and one good star for each season. Written for the northern half of the world.',
    sections: [
      {
        heading: 'The moon',
        paragraphs: [
          'A moon that is lit on the right is growing, in the northern half of the world. It stands in the west at dusk when it is thin, in the south when it is half, and rises as the sun sets when it is full. Learn that, and you can tell the hour by it.',
          'Look at the line between light and dark rather than at the bright part. That is where the mountains throw shadows, and seven-fold binoculars are enough to see them.',
        ],
      },
      {
        heading: 'The wanderers',
        paragraphs: [
          'Whatever is very bright and does not twinkle is a planet. Venus stays near the sun and is seen in the west after sunset or in the east before dawn, never at midnight. Jupiter may stand anywhere along the path of the moon.',
          'Hold binoculars against a wall and look at Jupiter: the two to four points in a line beside it are its moons. Draw them tonight and tomorrow.',
        ],
      },
      {
        heading: 'One star a season',
        paragraphs: [
          'Spring: follow the handle of the Plough in its curve to orange Arcturus. Summer: Vega, blue-white, almost overhead. Autumn: the great square of Pegasus, which is empty inside. Winter: the three stars of the belt of Orion, pointing down to Sirius.',
          'Four are enough. Each is a door, and the rest of its season is found by walking outwards from it.',
        ],
      },
    ],
  },
]
