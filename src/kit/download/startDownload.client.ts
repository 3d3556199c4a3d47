/** Downloads by a link. Navigation would leave the page after an error, and closing a dialog (back) would cancel it. */
export function startDownload(url: string, fileName = '') {
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName })
  document.body.append(link)
  link.click()
  link.remove()
}
