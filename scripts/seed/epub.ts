import { coverSvg, drawCover } from '../../src/catalogue/cover.rules.ts'
import type { Good, Section } from './good.ts'
import { zip } from './zip.ts'

/** An EPUB 3 with the product's own cover, a table of contents and one file a chapter. */
export function epub(good: Good, sections: Section[]): Buffer {
  const { id, title, description } = good
  const chapters = sections.map((section, i) => ({ ...section, name: `chapter-${i + 1}` }))
  const each = (write: (chapter: { name: string; heading: string }) => string) => chapters.map(write).join('')
  return zip([
    // Readers look for these bytes at a fixed place, so this file stands first and uncompressed.
    ['mimetype', 'application/epub+zip'],
    [
      'META-INF/container.xml',
      `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="EPUB/content.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`,
    ],
    [
      'EPUB/content.opf',
      `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">urn:uuid:${id}</dc:identifier>
    <dc:title>${escapeXml(title)}</dc:title>
    <dc:language>en</dc:language>
    <dc:description>${escapeXml(description)}</dc:description>
    <meta property="dcterms:modified">2024-01-01T00:00:00Z</meta>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="cover" href="cover.svg" media-type="image/svg+xml" properties="cover-image"/>
    <item id="style" href="book.css" media-type="text/css"/>
${each(({ name }) => `    <item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>\n`)}  </manifest>
  <spine>
    <itemref idref="nav"/>
${each(({ name }) => `    <itemref idref="${name}"/>\n`)}  </spine>
</package>
`,
    ],
    [
      'EPUB/nav.xhtml',
      page(
        title,
        `<h1>${escapeXml(title)}</h1>
<p>${escapeXml(description)}</p>
<nav epub:type="toc"><h2>Contents</h2><ol>
${each(({ name, heading }) => `<li><a href="${name}.xhtml">${escapeXml(heading)}</a></li>\n`)}</ol></nav>`,
      ),
    ],
    ['EPUB/cover.svg', coverSvg(drawCover(good))],
    [
      'EPUB/book.css',
      'body { margin: 5%; line-height: 1.5; }\nh1 { line-height: 1.2; margin: 0 0 1.5em; }\np { margin: 0 0 1em; }\n',
    ],
    ...chapters.map(({ name, heading, paragraphs }): [string, string] => [
      `EPUB/${name}.xhtml`,
      page(
        heading,
        `<section epub:type="chapter"><h1>${escapeXml(heading)}</h1>
${paragraphs.map((paragraph) => `<p>${escapeXml(paragraph)}</p>\n`).join('')}</section>`,
      ),
    ]),
  ])
}

function page(title: string, body: string) {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="en" lang="en">
<head><title>${escapeXml(title)}</title><link rel="stylesheet" type="text/css" href="book.css"/></head>
<body>
${body}
</body>
</html>
`
}

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
