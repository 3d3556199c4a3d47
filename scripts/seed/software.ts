// Long because the programs themselves stand in it.
import type { Listing } from './good.ts'

/** Small software: its files by path, packed into one ZIP beside a README. */
export type Software = Listing & { files: Record<string, string> }

const lines = (...text: string[]) => `${text.join('\n')}\n`

/** A 24 x 24 line icon. */
const icon = (...paths: string[]) =>
  lines(
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">',
    ...paths.map((d) => `  <path d="${d}"/>`),
    '</svg>',
  )

export const software: Software[] = [
  {
    slug: 'plain-invoice-templates',
    title: 'Plain Invoice Templates',
    price: '9.00',
    description:
      'An invoice and a quote as plain HTML pages that print on one sheet of A4, with one stylesheet for both. Open them in any browser, type over the text and print to PDF. Comes with a table for numbering your invoices.',
    files: {
      'invoice.html': lines(
        '<!doctype html>',
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<title>Invoice 2024-001</title>',
        '<link rel="stylesheet" href="paper.css">',
        '<body contenteditable>',
        '<header><strong>Your name</strong><br>Your street, your town</header>',
        '<h1>Invoice 2024-001</h1>',
        '<p>To: Customer, street, town</p>',
        '<table>',
        '<tr><th>What</th><th>Hours</th><th>Price</th></tr>',
        '<tr><td>Work</td><td>3</td><td>$150.00</td></tr>',
        '<tr class="total"><td>Total</td><td></td><td>$150.00</td></tr>',
        '</table>',
        '<p>Please pay within 14 days to the account below.</p>',
        '</body>',
        '</html>',
      ),
      'quote.html': lines(
        '<!doctype html>',
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<title>Quote 2024-001</title>',
        '<link rel="stylesheet" href="paper.css">',
        '<body contenteditable>',
        '<header><strong>Your name</strong><br>Your street, your town</header>',
        '<h1>Quote 2024-001</h1>',
        '<p>To: Customer, street, town</p>',
        '<table>',
        '<tr><th>What</th><th>Hours</th><th>Price</th></tr>',
        '<tr><td>Work</td><td>3</td><td>$150.00</td></tr>',
        '</table>',
        '<p>This quote stands for 30 days.</p>',
        '</body>',
        '</html>',
      ),
      'paper.css': lines(
        '@page { size: A4; margin: 2cm; }',
        'body { font: 11pt/1.5 Georgia, serif; max-width: 17cm; margin: 2cm auto; }',
        'table { width: 100%; border-collapse: collapse; }',
        'th { text-align: left; border-bottom: 1px solid; }',
        'td { padding: 0.2cm 0; }',
        'th:not(:first-child), td:not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; }',
        '.total td { border-top: 1px solid; font-weight: bold; }',
      ),
      'numbers.csv': lines('number,date,customer,amount,paid on', '2024-001,,,,', '2024-002,,,,', '2024-003,,,,'),
    },
  },
  {
    slug: 'quiet-css',
    title: 'Quiet CSS: a starter stylesheet',
    price: '5.00',
    description:
      'One small stylesheet that makes plain HTML pleasant to read, in light and dark. It has no classes to learn and no dependencies. An example page shows every element it covers.',
    files: {
      'quiet.css': lines(
        ':root { color-scheme: light dark; }',
        'body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1.0625rem/1.6 system-ui, sans-serif; background: Canvas; color: CanvasText; }',
        'h1, h2, h3 { line-height: 1.2; letter-spacing: -0.02em; text-wrap: balance; }',
        'p, li { text-wrap: pretty; }',
        'a { color: inherit; text-underline-offset: 0.2em; }',
        'img { max-width: 100%; height: auto; }',
        'table { border-collapse: collapse; width: 100%; }',
        'th, td { padding: 0.4rem 0.6rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); text-align: left; }',
        'code { font-family: ui-monospace, monospace; font-size: 0.92em; }',
        'blockquote { margin-inline: 0; padding-left: 1rem; border-left: 3px solid; opacity: 0.8; }',
        'button, input { font: inherit; padding: 0.4rem 0.8rem; }',
      ),
      'example.html': lines(
        '<!doctype html>',
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        '<title>Quiet CSS</title>',
        '<link rel="stylesheet" href="quiet.css">',
        '<h1>A heading</h1>',
        '<p>A paragraph with <a href="#table">a link</a> and <code>code</code>.</p>',
        '<h2 id="table">A table</h2>',
        '<table><tr><th>Name</th><th>Amount</th></tr><tr><td>Tea</td><td>2</td></tr></table>',
        '<blockquote>A quotation.</blockquote>',
        '<h3>A form</h3>',
        '<p><input aria-label="Name"> <button>Send</button></p>',
        '</html>',
      ),
    },
  },
  {
    slug: 'folder-sorter',
    title: 'Folder Sorter',
    price: '6.00',
    description:
      'A Python script that moves the files of one folder into subfolders by year and month. It shows what it would do before it does anything, never overwrites a file, and needs nothing but Python 3.',
    files: {
      'sort_folder.py': lines(
        '"""Move the files of a folder into YYYY-MM subfolders by their date of change.',
        '',
        'usage: python3 sort_folder.py FOLDER [--do]',
        'Without --do it only prints what it would do.',
        '"""',
        'import sys',
        'import time',
        'from pathlib import Path',
        '',
        '',
        'def target_of(file: Path) -> Path:',
        '    month = time.strftime("%Y-%m", time.localtime(file.stat().st_mtime))',
        '    return file.parent / month / file.name',
        '',
        '',
        'def main() -> int:',
        '    if len(sys.argv) < 2:',
        '        print(__doc__)',
        '        return 2',
        '    really = "--do" in sys.argv[2:]',
        '    for file in sorted(Path(sys.argv[1]).iterdir()):',
        '        if not file.is_file() or file.name.startswith("."):',
        '            continue',
        '        target = target_of(file)',
        '        if target.exists():',
        '            print(f"left alone, exists: {target}")',
        '            continue',
        '        print(f"{file} -> {target}")',
        '        if really:',
        '            target.parent.mkdir(exist_ok=True)',
        '            file.rename(target)',
        '    return 0',
        '',
        '',
        'if __name__ == "__main__":',
        '    sys.exit(main())',
      ),
    },
  },
  {
    slug: 'twelve-line-icons',
    title: 'Twelve Line Icons',
    price: '4.00',
    description:
      'Twelve icons as SVG files on a 24-pixel grid, drawn with one line of even width. They take the colour of the text around them. For use in your own pages and programs.',
    files: {
      'icons/arrow-left.svg': icon('M19 12H5', 'M11 6l-6 6 6 6'),
      'icons/arrow-right.svg': icon('M5 12h14', 'M13 6l6 6-6 6'),
      'icons/bell.svg': icon('M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15z', 'M10 21h4'),
      'icons/book.svg': icon('M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2z', 'M5 18a2 2 0 0 1 2-2h12'),
      'icons/check.svg': icon('M5 13l4 4 10-10'),
      'icons/clock.svg': icon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z', 'M12 7v5l3 2'),
      'icons/cross.svg': icon('M6 6l12 12', 'M18 6L6 18'),
      'icons/home.svg': icon('M4 11l8-7 8 7', 'M6 10v10h12V10'),
      'icons/mail.svg': icon('M3 6h18v12H3z', 'M3 7l9 7 9-7'),
      'icons/minus.svg': icon('M5 12h14'),
      'icons/plus.svg': icon('M12 5v14', 'M5 12h14'),
      'icons/search.svg': icon('M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14z', 'M16 16l5 5'),
    },
  },
  {
    slug: 'habit-tables',
    title: 'Habit Tables',
    price: '2.00',
    description:
      'Three tables for keeping a habit, a weight or a reading list, as CSV files that open in any spreadsheet. No account and no app. A note explains how to make a chart of them.',
    files: {
      'habit.csv': lines('day,done,note', ...Array.from({ length: 31 }, (_, i) => `${i + 1},,`)),
      'weight.csv': lines('week,kilograms,note', ...Array.from({ length: 12 }, (_, i) => `${i + 1},,`)),
      'reading.csv': lines('title,author,begun,finished,one sentence', ',,,,', ',,,,', ',,,,'),
      'charts.txt': lines(
        'Open the table in your spreadsheet, mark the first two columns with their headings,',
        'and choose Insert, Chart, Line. Leave empty cells empty: a gap is information.',
      ),
    },
  },
  {
    slug: 'one-page-site',
    title: 'One-Page Site Starter',
    price: '12.00',
    description:
      'A finished one-page website for a person or a small shop: HTML, a stylesheet for light and dark, a favicon and a 404 page. It loads nothing from elsewhere. Put the folder on any web host.',
    files: {
      'index.html': lines(
        '<!doctype html>',
        '<html lang="en">',
        '<head>',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<title>Your name</title>',
        '<meta name="description" content="What you do, in one sentence.">',
        '<link rel="icon" href="favicon.svg">',
        '<link rel="stylesheet" href="site.css">',
        '</head>',
        '<body>',
        '<main>',
        '<h1>Your name</h1>',
        '<p class="lead">What you do, in one sentence.</p>',
        '<h2>What I offer</h2>',
        '<ul><li>First thing</li><li>Second thing</li></ul>',
        '<h2>Contact</h2>',
        '<p><a href="mailto:you@example.com">you@example.com</a></p>',
        '</main>',
        '</body>',
        '</html>',
      ),
      '404.html': lines(
        '<!doctype html>',
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<title>Page not found</title>',
        '<link rel="stylesheet" href="/site.css">',
        '<main><h1>Page not found</h1><p><a href="/">To the start</a></p></main>',
        '</html>',
      ),
      'site.css': lines(
        ':root { color-scheme: light dark; }',
        'body { margin: 0; font: 1.125rem/1.6 system-ui, sans-serif; }',
        'main { max-width: 36rem; margin: 12vh auto; padding: 0 1.25rem; }',
        'h1 { font-size: clamp(2.25rem, 8vw, 4rem); line-height: 1.05; letter-spacing: -0.03em; margin: 0; }',
        '.lead { font-size: 1.375rem; opacity: 0.8; }',
      ),
      'favicon.svg': lines(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="#1b4dd1"/></svg>',
      ),
    },
  },
  {
    slug: 'five-colour-palettes',
    title: 'Five Colour Palettes',
    price: '3.00',
    description:
      'Five palettes of five colours each, as JSON, as CSS variables and as a page to look at. In each of them the darkest colour is legible as text on the lightest, with a contrast of at least 7 to 1.',
    files: paletteFiles({
      harbour: ['#0b2239', '#1f4e79', '#5b8fb9', '#b6d0e2', '#f2f7fb'],
      heath: ['#2d1b33', '#6b3f69', '#a8709a', '#d9b8cf', '#faf3f8'],
      orchard: ['#1d2b12', '#4b6b2a', '#8aa84f', '#c9d9a0', '#f7faee'],
      kiln: ['#33150b', '#8a3b1e', '#c9703f', '#eabf9b', '#fdf5ee'],
      slate: ['#16191d', '#434b55', '#7d8894', '#c0c8d0', '#f5f7f9'],
    }),
  },
  {
    slug: 'word-counter',
    title: 'Word Counter for the Command Line',
    price: '1.00',
    description:
      'A script of one page that lists the words of a text by how often they occur, leaving out the commonest. It runs wherever Node runs and reads a file or what is piped into it. A small tool for people who repeat themselves.',
    files: {
      'words.mjs': lines(
        "import { readFileSync } from 'node:fs'",
        '',
        '// usage: node words.mjs FILE   or   cat FILE | node words.mjs',
        "const text = readFileSync(process.argv[2] ?? 0, 'utf8')",
        "const common = new Set(readFileSync(new URL('common.txt', import.meta.url), 'utf8').split(/\\s+/))",
        'const counts = new Map()',
        "for (const word of text.toLowerCase().match(/[\\p{L}']+/gu) ?? [])",
        '  if (!common.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)',
        'for (const [word, count] of [...counts].sort((a, b) => b[1] - a[1]).slice(0, 30))',
        '  console.log(String(count).padStart(6), word)',
      ),
      'common.txt': lines(
        'a an and are as at be but by for from had has have he her his i in is it its',
        'not of on or she so that the their they this to was we were which with you',
      ),
    },
  },
  {
    slug: 'email-templates',
    title: 'Four Email Templates',
    price: '8.00',
    description:
      'Four plain HTML emails for a small shop: order received, order ready, refund, and password reset. One column, system fonts, legible with pictures turned off and in the dark. Each comes with its plain-text twin.',
    files: emailFiles({
      'order-received': ['We have your order', 'Thank you. Your order {{order}} is here, and we begin with it today.'],
      'order-ready': ['Your order is ready', 'Your order {{order}} is ready. You can fetch it from {{link}}.'],
      refund: ['Your refund is on its way', 'We have sent {{amount}} back. Your bank shows it within a few days.'],
      'password-reset': [
        'Set a new password',
        'Somebody, we hope you, asked for a new password. Set it at {{link}} within one hour, or ignore this letter.',
      ],
    }),
  },
]

function paletteFiles(palettes: Record<string, string[]>): Record<string, string> {
  const entries = Object.entries(palettes)
  const swatches = entries.map(
    ([name, colours]) =>
      `<h2>${name}</h2>\n<p>${colours.map((colour) => `<span style="background:${colour}"></span>`).join('')}</p>`,
  )
  return {
    'palettes.json': `${JSON.stringify(palettes, null, 2)}\n`,
    'palettes.css': lines(
      ':root {',
      ...entries.flatMap(([name, colours]) => colours.map((colour, i) => `  --${name}-${i + 1}: ${colour};`)),
      '}',
    ),
    'palettes.html': lines(
      '<!doctype html>',
      '<html lang="en">',
      '<meta charset="utf-8">',
      '<title>Five palettes</title>',
      '<style>body { font: 1rem system-ui; margin: 2rem } span { display: inline-block; width: 5rem; height: 5rem }</style>',
      ...swatches,
      '</html>',
    ),
  }
}

function emailFiles(letters: Record<string, [subject: string, body: string]>): Record<string, string> {
  const files = Object.entries(letters).flatMap(([name, [subject, body]]) => [
    [
      `${name}.html`,
      lines(
        '<!doctype html>',
        '<html lang="en">',
        `<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${subject}</title></head>`,
        '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">',
        `<table role="presentation" width="100%" style="max-width:560px;margin:auto"><tr><td><h1 style="font-size:22px">${subject}</h1><p>${body}</p><p>{{shop}}</p></td></tr></table>`,
        '</body>',
        '</html>',
      ),
    ],
    [`${name}.txt`, lines(subject, '', body, '', '{{shop}}')],
  ])
  return Object.fromEntries(files)
}
