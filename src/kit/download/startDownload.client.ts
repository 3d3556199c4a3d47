/** Downloads by a link, not by navigation: a refusal keeps the page, and closing a dialog (back) keeps the download. */
export function startDownload(url: string, fileName = '') {
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName })
  document.body.append(link)
  link.click()
  link.remove()
}
