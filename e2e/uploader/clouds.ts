import { signInAt } from '../../sandbox/clouds/clouds.ts'
import { expect } from '../shop.ts'
import { type Bench, empty, uploadButton } from './page.ts'
import { detailsButton, readDetails } from './messages.ts'

// Reads how the uploader shows files of Google Drive. The shop loads a stand-in for it.

const tabOf = ({ page }: Bench) => page.getByRole('tab', { name: 'Google Drive' })
const signInButton = ({ page }: Bench) => page.getByRole('button', { name: 'Sign in with Google' })

async function signIn(bench: Bench, choice: 'allow' | 'deny') {
  const context = bench.page.context()
  // the test redirects the pop-up window as Google would
  await context.route('**/companion/drive/connect*', async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 })
    const headers = answer.headers()
    await route.fulfill({ status: 302, headers: { ...headers, location: signInAt(headers.location!, choice) } })
  })
  await signInButton(bench).click()
  return () => context.unroute('**/companion/drive/connect*')
}

/** The message after the member refused the sign-in. */
export async function refusedSignIn(bench: Bench) {
  await empty(bench, { maxNumberOfFiles: 1 })
  await expect(bench.page.getByRole('tab', { name: 'Dropbox' })).toBeHidden()
  await tabOf(bench).click()
  const end = await signIn(bench, 'deny')
  const says = bench.page.getByText('Authentication aborted').first()
  await expect(says).toBeVisible()
  await end()
  return says.innerText()
}

/** The message after the shop refused a file of the cloud. */
export async function refusedFile(bench: Bench) {
  const end = await signIn(bench, 'allow')
  await expect(bench.page.getByText('Broken.pdf')).toBeVisible()
  await end()
  await select(bench, 'Broken.pdf')
  await uploadButton(bench.page).click()
  const says = bench.page.getByText(/Broken\.pdf” isn’t a PDF\./).first()
  await expect(says).toBeVisible()
  return /isn’t a PDF\..* (Please choose another file\.)/.exec(await says.innerText())?.[1]
}

async function select({ page }: Bench, name: string) {
  await page.getByText(name).click()
  await page.getByRole('button', { name: 'Select 1' }).click()
}

/** Starts the import at a node that is silent or down. Returns the sockets that the page opens to it. */
async function startAt({ page }: Bench, node: 'silent' | 'gone', button = uploadButton(page)) {
  const sockets: string[] = []
  await page.routeWebSocket('**/companion/api/*', (socket) => {
    sockets.push(socket.url())
    if (node === 'gone') void socket.close()
  })
  const begun = page.waitForResponse('**/companion/drive/get/*')
  await button.click()
  await begun
  await expect.poll(() => sockets.length).toBeGreaterThan(0)
  return sockets
}

/** Returns whether an import at a silent node failed after four minutes, and its error details after five. */
export async function silentNode(bench: Bench) {
  const { page } = bench
  await tabOf(bench).click()
  await select(bench, 'Guide.txt')
  await startAt(bench, 'silent')
  await page.clock.fastForward(4 * 60_000)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
  const isEarly = await detailsButton(page).isVisible()
  await page.clock.fastForward(60_000)
  await expect(detailsButton(page)).toBeVisible()
  return { isEarly, says: await readDetails(page, detailsButton(page)) }
}

const retryButton = ({ page }: Bench) => page.getByRole('button', { name: 'Retry' }).first()

/** Returns how often the page retries a node that is down, and the error details. */
export async function goneNode(bench: Bench) {
  const { page } = bench
  const sockets = await startAt(bench, 'gone', retryButton(bench))
  await expect
    .poll(async () => (await page.clock.fastForward(10_000), detailsButton(page).isVisible()), { intervals: [50] })
    .toBe(true)
  return { retries: sockets.length - 1, says: await readDetails(page, detailsButton(page)) }
}

/** Returns the message after the node is up again. */
export async function finishedImport(bench: Bench) {
  await bench.page.routeWebSocket('**/companion/api/*', (socket) => void socket.connectToServer())
  await retryButton(bench).click()
  const says = bench.page.getByText('Digital file uploaded successfully!').first()
  await expect(says).toBeVisible()
  return says.innerText()
}
