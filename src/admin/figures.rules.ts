import { plural } from '../localisation/plural.rules.ts'
import type { ResponseReport } from '../support/inbox/team.contract.ts'

type Figure = [name: string, value: string]

/** The figures of staff and the assistant that have a value: nothing that is zero or unknown. */
export function figuresOf({ answers, medianMinutes, p90Minutes, satisfaction, ...rest }: ResponseReport): Figure[] {
  const { assistant, costs, agents } = rest
  const minutes = (value: number | null) => value !== null && `${value} min`
  const cost = (dollars: string) => Number(dollars) > 0 && `$${dollars}`
  const rows: [name: string, value: string | false][] = [
    ['Answers of staff', answers > 0 && String(answers)],
    ['Median wait for staff', minutes(medianMinutes)],
    ['9 of 10 within', minutes(p90Minutes)],
    ['Satisfaction', satisfaction !== null && `${satisfaction} of 5`],
    ['Answers of the assistant', assistant.answers > 0 && `${assistant.answers}, ${assistant.unsure} unsure`],
    [
      'Helped, did not help',
      assistant.helped + assistant.notHelped > 0 && `${assistant.helped}, ${assistant.notHelped}`,
    ],
    ['Cost of the model in the chat', cost(costs.chatDollars)],
    ['Cost of AI Analyze', cost(costs.analyzeDollars)],
    ['Cost of explained errors', cost(costs.explainDollars)],
    ...agents.map((agent): Figure => [agent.name, describeAgent(agent)]),
  ]
  return rows.filter((row): row is Figure => row[1] !== false)
}

const describeAgent = ({ answers, medianMinutes, satisfaction }: ResponseReport['agents'][number]): string =>
  `${plural(answers, 'answer')}, median ${medianMinutes} min${satisfaction === null ? '' : `, ${satisfaction} of 5`}`
