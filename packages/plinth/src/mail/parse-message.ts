import PostalMime from 'postal-mime'

export type ParsedMessage = {
  to: string
  subject: string
  date: string
  html: string
  text: string
}

export async function parseMessage(source: string): Promise<ParsedMessage> {
  const { to = [], subject = '', date = '', html = '', text = '' } = await PostalMime.parse(source)
  return { to: to.map(({ address }) => address).join(', '), subject, date, html, text }
}
