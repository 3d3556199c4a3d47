import { expect, listProduct, ONCE, register, routeRead, test, unrouteReads } from './shop.ts'

test(
  'a member follows a seller, sees a new product in the library, and unfollows with Undo',
  { tag: ONCE },
  async ({ page, browser }) => {
    await register(page, 'Ottoline')
    const own = crypto.randomUUID().slice(0, 8)
    await listProduct(page, `First ${own}`)
    const { handle } = (await (await page.request.get('/api/account/storefront')).json()) as { handle: string }
    const path = `/seller/${handle}`
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Ottoline' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Follow/ })).toHaveCount(0)

    const buyer = await (await browser.newContext()).newPage()
    await buyer.goto(path)
    await expect(buyer.getByRole('button', { name: /^Follow/ })).toHaveCount(0)
    await register(buyer)
    await buyer.goto(path)
    await expect(buyer.getByText('We email and notify you when they publish something new.')).toBeVisible()
    const isSaved = () =>
      buyer.waitForResponse(
        (response) => response.url().includes('/api/follows/') && response.request().method() !== 'GET',
      )
    const followed = isSaved()
    await buyer.getByRole('button', { name: 'Follow', exact: true }).press('Enter')
    const following = buyer.getByRole('button', { name: 'Following', exact: true })
    await expect(following).toHaveAttribute('aria-pressed', 'true')
    await followed
    await buyer.reload()
    await expect(following).toBeVisible()

    await listProduct(page, `Second ${own}`)
    await buyer.goto('/library')
    const notice = buyer.getByRole('region', { name: 'New from sellers you follow' })
    await expect(notice).toContainText(`Second ${own}`)
    await expect(notice).not.toContainText(`First ${own}`)
    const dismissed = isSaved()
    await notice.getByRole('link', { name: `View Second ${own}` }).click()
    await expect(buyer.getByRole('heading', { level: 1, name: `Second ${own}` })).toBeVisible()
    await dismissed
    await listProduct(page, `Third ${own}`)
    await buyer.goto('/library')
    await expect(notice).toContainText(`Third ${own}`)
    await notice.getByRole('button', { name: `Dismiss: Third ${own}` }).click()
    await expect(notice).toBeHidden()

    await page.goto('/selling')
    await expect(page.getByRole('region', { name: 'Followers' })).toContainText('1 member follows you.')

    await buyer.goto('/profile')
    await buyer.getByRole('button', { name: 'Email Preferences' }).click()
    const sellers = buyer.getByRole('region', { name: 'Sellers you follow' })
    const unfollowed = isSaved()
    await sellers.getByRole('button', { name: /^Unfollow Ottoline/ }).click()
    const undo = sellers.getByRole('button', { name: /^Undo: you unfollowed Ottoline/ })
    await expect(undo).toBeFocused()
    await unfollowed
    const undone = isSaved()
    await undo.click()
    await expect(sellers.getByRole('button', { name: /^Unfollow Ottoline/ })).toBeFocused()
    await undone
    await sellers.getByRole('link', { name: /^Ottoline/ }).click()
    await expect(buyer).toHaveURL(path)
    await following.click()
    await expect(buyer.getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
    await buyer.getByRole('button', { name: 'Undo' }).first().click()
    await expect(following).toBeVisible()
    await buyer.context().close()
  },
)

test(
  'the button Follow returns after a failed call, and a list that did not load can be tried again',
  { tag: ONCE },
  async ({ page, browser }) => {
    const seller = await (await browser.newContext()).newPage()
    await register(seller, 'Ottoline')
    await listProduct(seller, `Alone ${crypto.randomUUID().slice(0, 8)}`)
    const { handle } = (await (await seller.request.get('/api/account/storefront')).json()) as { handle: string }
    await seller.context().close()
    await register(page)
    await page.goto(`/seller/${handle}`)
    const json = { message: 'You can’t follow this seller right now.', code: 'not_followable' }
    await page.route('**/api/follows/*', (route) => route.fulfill({ status: 409, json }))
    const button = page.getByRole('button', { name: 'Follow', exact: true })
    await button.click()
    await expect(page.getByText(json.message).first()).toBeVisible()
    await expect(button).toBeVisible()
    await routeRead(page, '**/api/follows', (route) => route.fulfill({ status: 409, json: {} }))
    await page.reload()
    await expect(page.getByText('Couldn’t load whether you follow Ottoline')).toBeVisible()
    await unrouteReads(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(button).toBeVisible()
  },
)
