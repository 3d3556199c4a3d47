import {
  Activity,
  BadgeDollarSign,
  Bot,
  Boxes,
  Bug,
  Flag,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  ReceiptText,
  ScrollText,
  ShieldQuestion,
  Tags,
  TriangleAlert,
  UsersRound,
  Wallet,
} from 'lucide-react'
import type { Role } from '../kit/contract.ts'
import { pagesOf } from './adminPages.ts'

type Place = { name: string; Icon: LucideIcon }

const OVERVIEW: Place = { name: 'Overview', Icon: Activity }
/** The pages of a group in the order of the menu. */
const GROUPS: [title: string, places: Record<string, Place>][] = [
  [
    'Open work',
    {
      '/admin': OVERVIEW,
      '/admin/chat': { name: 'Support inbox', Icon: MessagesSquare },
      '/admin/orders': { name: 'Orders', Icon: ReceiptText },
      '/admin/reports': { name: 'Reports', Icon: Flag },
      '/admin/code-cases': { name: 'Bad codes', Icon: KeyRound },
      '/admin/risk': { name: 'Risk', Icon: ShieldQuestion },
      '/admin/disputes': { name: 'Disputes', Icon: TriangleAlert },
      '/admin/payouts': { name: 'Payouts', Icon: BadgeDollarSign },
      '/admin/transfers': { name: 'USDC', Icon: Wallet },
      '/admin/supply': { name: 'Supplier', Icon: Boxes },
    },
  ],
  [
    'The shop',
    {
      '/admin/members': { name: 'Members', Icon: UsersRound },
      '/admin/categories': { name: 'Categories', Icon: Tags },
      '/admin/answers': { name: 'Assistant', Icon: Bot },
      '/admin/errors': { name: 'Errors', Icon: Bug },
      '/admin/audit': { name: 'Audit log', Icon: ScrollText },
    },
  ],
]

export const placeOf = (href: string): Place =>
  GROUPS.map(([, places]) => places[href]).find((place) => place !== undefined) ?? OVERVIEW

export type PlaceGroup = { title: string; places: (Place & { href: string })[] }

/** The staff pages of a role in groups. Groups without a page are left out. */
export function placesOf(role: Role): PlaceGroup[] {
  const open = new Set(pagesOf(role))
  return GROUPS.map(([title, places]) => ({
    title,
    places: Object.entries(places).flatMap(([href, place]) => (open.has(href) ? [{ href, ...place }] : [])),
  })).filter(({ places }) => places.length > 0)
}
