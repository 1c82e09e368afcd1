export default function StartPage() {
  return <h1>Plinth</h1>
}
