/**
 * Lets the browser fetch a file. A link with `download` is no navigation: a refusal must not take the page away, and going
 * back, as a dialog does that closes, must not take the file.
 */
export function startDownload(url: string) {
  const link = Object.assign(document.createElement('a'), { href: url, download: '' })
  document.body.append(link)
  link.click()
  link.remove()
}
