# Prints every row of every game of a service until all games are final: bash follow-every-game.sh URL KEY
url=$1 key=$2 known=' '
get() { curl -sS -m 60 -H "Authorization: Bearer $key" "$@"; }
follow() {
  while page=$(get -H 'Prefer: wait=25' "$url/v1/games/$1/sportsbook-lines/rows?cursor=${cursor:=0:0}") || page='{}'
    [ "$(printf %s "$page" | jq -r .reason)" != final_available ]; do
    printf %s "$page" | jq -c --unbuffered --arg game "$1" '.rows // [] | .[] | {game: $game, row: .}'
    next=$(printf %s "$page" | jq -r '.cursor // empty') && cursor=${next:-$cursor}
    [ -n "$next" ] || sleep 1
  done
}
while [ "$known" = ' ' ] || [ -n "$(jobs -r)" ]; do
  for game in $(get "$url/v1/games" | jq -r '.data[]?.id'); do
    case $known in *" $game "*) ;; *) known="$known$game "; follow "$game" & ;; esac
  done && sleep 1
done
