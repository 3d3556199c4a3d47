import { type Html, html, trustedHtml } from '../../kit/html.server.ts'

export const mark = trustedHtml(
  '<svg class="mark" viewBox="0 0 30 30" aria-hidden="true"><path fill="currentColor" d="M5 1h20a4 4 0 0 1 4 4v6.5a3.5 3.5 0 0 0 0 7V25a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4v-6.5a3.5 3.5 0 0 0 0-7V5a4 4 0 0 1 4-4z"/><path class="one" d="M17.4 7v16h-4V11.8l-3.2 1.6V9.7L14.4 7z"/></svg>',
)

/** An ellipse rotated `count` times about its center, as on a banknote. */
function rosette(id: string, count: number, cx: number, cy: number, rx: number, ry: number): string {
  const turns = Array.from({ length: count - 1 }, (_, i) => Math.round(((i + 1) * 1800) / count) / 10)
  const turned = turns.map((turn) => `<use href="#${id}" transform="rotate(${turn} ${cx} ${cy})"/>`)
  return `<ellipse id="${id}" cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}"/>${turned.join('')}`
}

const BARS =
  'M10 85.8v68.4M20 79.6v80.7M30 79.5v80.9M40 85.7v68.6M50 96.1v47.8M60 107.6v24.8M70 103v34M80 97.7v44.5M90 97.2v45.7M100 99.3v41.4M110 100.8v38.4M120 98.7v42.7M130 91.3v57.3M140 79.8v80.3M150 67.6v104.8M160 59.3v121.4M170 59.4v121.3M180 70.1v99.8M190 90.7v58.6M200 100v40.1M210 73.8v92.4M220 53.9v132.1M230 45v150.1M240 48.4v143.2M250 62.5v115.1M260 82.8v74.4M270 103.9v32.2M280 100.9v38.1M290 91.5v56.9M300 89.4v61.1M310 92.8v54.3'

const audio = `<clipPath id="disc"><circle cx="137" cy="120" r="79.7"/></clipPath><path class="s1" stroke-width="5" stroke-linecap="round" d="${BARS}"/><circle class="f3" cx="137" cy="120" r="79.7"/><path class="s2" stroke-width="5" stroke-linecap="round" d="${BARS}" clip-path="url(#disc)"/>`

const book =
  '<rect class="f3 dim" x="107" y="29" width="134" height="196" rx="5"/><rect class="f1" x="98" y="22" width="134" height="196" rx="4"/><circle class="f2" cx="131" cy="120.5" r="11.7"/><path class="f2" d="M150.5 140v-39a39 39 0 0 1 39 39z"/><path class="f3" d="M228.5 101v39a39 39 0 0 1-39-39z"/><path class="f3" d="M111.5 140h39a39 39 0 0 1-39 39z"/><path class="f3" d="M150.5 140h39a39 39 0 0 1-39 39z"/><path class="f0" d="M228.5 179h-39a39 39 0 0 1 39-39z"/><path class="f2" d="M150.5 218h-39a39 39 0 0 1 39-39z"/><path class="f0" d="M150.5 218v-39a39 39 0 0 1 39 39z"/><circle class="f0" cx="209" cy="198.5" r="11.7"/><path class="f0" opacity=".22" d="M106 22h3v196h-3z"/><g class="f0" font-size="15.5"><text x="118" y="47">Bread by</text><text x="118" y="64">Weight</text></g>'

const voucher = `<g class="s2 dim" stroke-width=".8">${rosette('outer', 10, 213.2, 119.2, 117.4, 62.2)}</g><g class="s1" stroke-width="1.1">${rosette('ring', 14, 213.2, 119.2, 91.4, 28.2)}</g><g class="s3" stroke-width="1.2">${rosette('core', 8, 213.2, 119.2, 38.4, 11.8)}</g><text class="f2 big" x="22" y="76" font-size="58">$30</text>`

/** The eight punched holes of a cover. */
function punches(...filled: number[]): string {
  const hole = (i: number) =>
    `<circle class="${filled.includes(i) ? 'f1' : 's1'}" cx="${19 + 9 * i}" cy="222" r="2.4" stroke-width=".9"/>`
  return Array.from({ length: 8 }, (_, i) => hole(i)).join('')
}

function ticket(ink: string, drawing: string, name: string, price: string): Html {
  const cover = `<svg class="cover cover--${ink}" viewBox="0 0 320 240">${drawing}</svg>`
  return html`<div class="ticket">
    <div class="ticket__part"><span class="frame">${trustedHtml(cover)}</span></div>
    <div class="ticket__part"><b>${name}</b><span>${price}</span></div>
  </div>`
}

export const side = html`<aside class="side" aria-hidden="true">
  <svg class="side__art" viewBox="0 0 300 220" preserveAspectRatio="xMaxYMid slice">
    <g opacity=".5">${trustedHtml(rosette('art', 30, 262, 82, 128, 50))}</g>
  </svg>
  <div class="fan">
    ${[
      ticket('tint', audio + punches(3, 7), 'Audio', '$19.00'),
      ticket('bold', book + punches(0, 1, 3), 'E-Books', '$14.50'),
      ticket('deep', voucher + punches(3, 4, 6), 'Gift Cards', '$30.00'),
    ]}
  </div>
</aside>`
