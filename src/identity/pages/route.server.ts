import { type Answer, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { asPage, type Context } from './context.server.ts'

type Run = (page: Page) => Promise<Answer>
type Path = `/${string}`

export const getPage = (context: Pick<Context, 'look'>, path: Path, about: string, run: Run): Route =>
  handleRaw(`GET ${path}`, { access: 'public', about }, asPage(context, run))

export const postForm = (context: Pick<Context, 'look'>, path: Path, about: string, run: Run): Route =>
  handleRaw(`POST ${path}`, { access: 'public', about, body: 'bytes' }, asPage(context, run))
