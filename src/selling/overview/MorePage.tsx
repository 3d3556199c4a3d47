import './overview.css'
import { ChevronRight, FileDown, type LucideIcon, Percent, Store, TicketX, Webhook } from 'lucide-react'
import { startDownload } from '../../kit/download/startDownload.client.ts'
import { Link } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { EXPORT_PATH } from '../csv/csv.contract.ts'
import { SellerTabs } from '../SellerTabs.tsx'

type Place = { Icon: LucideIcon; name: string; about: string }

const PAGES: (Place & { href: string })[] = [
  { Icon: Store, href: '/selling/page', name: 'Your page', about: 'Address, text and look of your page in the shop' },
  { Icon: Percent, href: '/discounts', name: 'Discounts', about: 'Codes that lower your prices' },
  { Icon: TicketX, href: '/bad-codes', name: 'Bad codes', about: 'Codes that buyers reported' },
  { Icon: Webhook, href: '/webhooks', name: 'Webhooks', about: 'Your sales, sent to your server' },
]

/** The words of sellers, as in docs/glossary.md. */
const WORDS = [
  ['Sale', 'One line of an order: a product and a number of copies. Your own purchases do not count.'],
  ['Copy', 'One unit of a sale. A buyer opens it or gives it away.'],
  ['List price', 'The price of the product before discounts.'],
  ['Revenue', 'What buyers paid: list prices minus discounts. Also called gross.'],
  ['Fee', 'What the store keeps of a sale. A refund returns its part.'],
  ['Net', 'What you keep: revenue minus fees and refunds.'],
] as const

export function MorePage() {
  return (
    <div className="section gap-5">
      <SellerTabs />
      <PageHead title="More" about="Tools for selling" />
      <div className="twocol">
        <div className="list">
          {PAGES.map(({ href, ...place }) => (
            <Link key={href} className="list__row" href={href}>
              <Row {...place} />
            </Link>
          ))}
          <button type="button" className="list__row" onClick={() => startDownload(EXPORT_PATH)}>
            <Row Icon={FileDown} name="Export products" about="All your products as CSV" />
          </button>
        </div>
        <section className="section" aria-labelledby="words">
          <h2 id="words">What the words mean</h2>
          <dl className="card terms">
            {WORDS.map(([word, meaning]) => (
              <div key={word}>
                <dt>{word}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </div>
  )
}

const Row = ({ Icon, name, about }: Place) => (
  <>
    <Icon className="icon" aria-hidden />
    <span className="grow">
      <strong>{name}</strong>
      <small>{about}</small>
    </span>
    <ChevronRight className="icon" aria-hidden />
  </>
)
