import type * as z from 'zod/mini'
import type { Answer, Page, Route } from '../../kit/handle.server.ts'
import { type Html, html } from '../../kit/html.server.ts'
import { findToken } from '../token.store.server.ts'
import { type Context, countForm, tokenOf } from './context.server.ts'
import { addressOf, getPage, postForm, readForm, renderForm } from './form.server.ts'
import { renderNotice } from './page.server.ts'

type MailedLink<Schema extends z.ZodMiniType, Claim = z.output<Schema>> = {
  path: `/${string}`
  about: { ask: string; act: string }
  kind: string
  schema: Schema
  ask: (claim: Claim) => { title: string; lead: Html; before?: Html; button: string; cancel?: Html; hint?: string }
  /** Returns null if the link was used or revoked meanwhile. */
  act: (token: string, claim: Claim) => Promise<Answer | null>
  /** Returns the response for a browser that must not use this link, otherwise null. */
  refuse?: (page: Page, claim: Claim) => Answer | null
  useless: { lead: string; href: string; label: string }
}

export function mailedLinkRoutes<Schema extends z.ZodMiniType>(
  context: Context,
  { path, about, kind, schema, ask, act, refuse, useless }: MailedLink<Schema>,
): Route[] {
  const find = (page: Page) => findToken(context.db, kind, tokenOf(page), schema)

  function askPage(page: Page, claim: z.output<Schema>, wait = 0): Answer {
    const { hint, ...text } = ask(claim)
    const after = hint !== undefined && html`<p class="hint">${hint}</p>`
    return renderForm(context.look, addressOf(path, page), { wait }, { ...text, after, isSecret: true })
  }

  const uselessPage = () =>
    renderNotice(context.look, {
      title: 'This link no longer works',
      lead: useless.lead,
      actions: [[useless.label, useless.href]],
      status: 410,
    })

  return [
    getPage(context, path, about.ask, async (page) => {
      const claim = await find(page)
      return claim ? (refuse?.(page, claim) ?? askPage(page, claim)) : uselessPage()
    }),
    postForm(context, path, about.act, async (page) => {
      readForm(page, [])
      const wait = await countForm(context, 'address', page)
      const claim = await find(page)
      if (!claim) return uselessPage()
      const refused = refuse?.(page, claim)
      if (refused) return refused
      return wait ? askPage(page, claim, wait) : ((await act(tokenOf(page), claim)) ?? uselessPage())
    }),
  ]
}
