import type { Book } from './books.ts'

/** Short guides about coins, sold as PDF. They teach care; none gives advice on what to buy. */
export const guides: Book[] = [
  {
    slug: 'seed-phrase-sheets',
    title: 'Seed Phrase Backup Sheets',
    price: '3.00',
    description:
      'A printable guide for writing down the recovery words of a wallet and keeping them safe on paper: how to do it, how to check it, and 24 numbered lines. It never asks for your words, and neither should anybody else.',
    sections: [
      {
        heading: 'Write it once, properly',
        paragraphs: [
          'Print this page, close the door and put the phone in another room: a photograph of recovery words is a common way to lose a wallet. Write in capitals with a pencil, which outlives most inks.',
          'Write the date and the name of the wallet software, never the amount. Make a second copy for another building.',
        ],
      },
      {
        heading: 'Check it before you need it',
        paragraphs: [
          'Restore the empty wallet from the paper before you put anything into it. If one word is wrong you will learn it today, at no cost.',
          'Check again once a year. Nobody who helps you will ever need these words; whoever asks for them is stealing.',
        ],
      },
      {
        heading: 'Your words',
        paragraphs: Array.from(
          { length: 12 },
          (_, i) => `${String(i + 1).padStart(2, '0')}. ${'_'.repeat(30)} ${i + 13}. ${'_'.repeat(30)}`,
        ),
      },
    ],
  },
  {
    slug: 'wallet-safety-checklist',
    title: 'Wallet Safety Checklist',
    price: '1.50',
    description:
      'Twelve checks for anybody who keeps coins in a wallet of their own, to be gone through in half an hour. A plain PDF for printing. It recommends no product.',
    sections: [
      {
        heading: 'Before',
        paragraphs: [
          '1. The device has its updates. 2. The screen locks by itself. 3. The wallet came from its maker’s own site, typed by hand. 4. The recovery words exist on paper, twice. 5. Nobody has photographed them. 6. A small amount was sent and received back before a large one.',
        ],
      },
      {
        heading: 'Each time',
        paragraphs: [
          '7. Compare the first six and the last six characters of an address with its source. 8. Read what you sign; when it cannot be read, do not sign it. 9. Never act on a message that is in a hurry. 10. Never give remote access to anybody. 11. Write down what you did and why. 12. Close the wallet when you are done.',
        ],
      },
    ],
  },
  {
    slug: 'stablecoin-basics',
    title: 'Stablecoin Basics',
    price: '4.00',
    description:
      'A two-part introduction to coins that follow the dollar: what stands behind them and what can go wrong. Written for people who are paid in one and never asked for it. General information, not advice.',
    sections: [
      {
        heading: 'What stands behind it',
        paragraphs: [
          'A stablecoin is a promise: whoever issued it will give back a dollar for it. With most, the issuer holds bank deposits and short government debt. With some, other coins are locked up instead, and with a few there is only a rule in a program.',
          'So the first question is never the price. It is: who owes me a dollar, where do they keep it, and who has looked?',
        ],
      },
      {
        heading: 'What can go wrong',
        paragraphs: [
          'The issuer may be slow, the bank may be closed, or the coin may be on another network than the wallet you sent it to. The last happens often.',
          'Before you receive any, agree on the network in writing and try it with a small amount. Keep what you need for a month’s rent in money that your landlord accepts.',
        ],
      },
    ],
  },
  {
    slug: 'reading-a-block-explorer',
    title: 'Reading a Block Explorer',
    price: '2.50',
    description:
      'How to look up a payment yourself and know whether it has arrived. Two short parts with the six fields that matter, in plain words, as a PDF.',
    sections: [
      {
        heading: 'Six fields',
        paragraphs: [
          'Every explorer shows much and needs little. Hash: the name of the payment. Status: whether it worked. Block: where it stands, or that it still waits. From and To: the two addresses. Value: what moved, before the fee. Fee: what the network kept.',
          'A token is not in Value. It stands further down, under transfers, and its contract address must be the one you expect: names can be copied, addresses cannot.',
        ],
      },
      {
        heading: 'When is it final?',
        paragraphs: [
          'A payment in the newest block can still be undone, rarely, when two blocks compete. Each further block makes that less likely. For a coffee one block is plenty; for a car wait for a few dozen, or for the word finalized where the network has it.',
          'A payment that waits has usually offered too small a fee. It is not lost. It is in a queue.',
        ],
      },
    ],
  },
]
