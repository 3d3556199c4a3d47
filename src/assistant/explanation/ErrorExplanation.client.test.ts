import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ExplanationText } from './ErrorExplanation.tsx'

test('shows an explanation as text with model, date and release', () => {
  const html = renderToStaticMarkup(
    createElement(ExplanationText, {
      text: '<img src=x onerror=alert(1)> [a link](javascript:alert(1)) **bold**',
      model: 'small-1 <b>',
      release: '0.1.0',
      askedAt: '2026-03-05T12:00:00.000Z',
    }),
  )
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; [a link](javascript:alert(1)) **bold**')
  expect(html).not.toMatch(/<(img|a|b|strong)\b/)
  expect(html).toMatch(/Machine-made.*small-1 &lt;b&gt; · Mar 5.* · release 0\.1\.0 · may be wrong/)
})
