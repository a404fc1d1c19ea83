import type { Suggestion } from "./suggestions.ts";

/** Common emoji by their short names. Loaded when the first one is asked for. */
const TABLE =
  "smile 😄,smiley 😃,grin 😁,laughing 😆,joy 😂,rofl 🤣,slightly_smiling 🙂,upside_down 🙃,wink 😉,blush 😊,innocent 😇,heart_eyes 😍,star_struck 🤩,kissing_heart 😘,yum 😋,stuck_out_tongue 😛,zany 🤪,hugging 🤗,thinking 🤔,zipper_mouth 🤐,raised_eyebrow 🤨,neutral_face 😐,expressionless 😑,smirk 😏,unamused 😒,rolling_eyes 🙄,grimacing 😬,relieved 😌,pensive 😔,sleepy 😪,sleeping 😴,mask 😷,nauseated 🤢,sneezing 🤧,hot_face 🥵,cold_face 🥶,dizzy_face 😵,exploding_head 🤯,cowboy 🤠,partying_face 🥳,sunglasses 😎,nerd 🤓,monocle 🧐,confused 😕,worried 😟,frowning ☹️,open_mouth 😮,astonished 😲,flushed 😳,pleading 🥺,cry 😢,sob 😭,scream 😱,sweat 😓,sweat_smile 😅,tired 😫,yawning 🥱,triumph 😤,rage 😡,angry 😠,skull 💀,poop 💩,clown 🤡,ghost 👻,alien 👽,robot 🤖,see_no_evil 🙈,hear_no_evil 🙉,speak_no_evil 🙊,heart ❤️,orange_heart 🧡,yellow_heart 💛,green_heart 💚,blue_heart 💙,purple_heart 💜,black_heart 🖤,broken_heart 💔,sparkling_heart 💖,hundred 💯,boom 💥,sweat_drops 💦,dash 💨,zzz 💤,speech_balloon 💬,wave 👋,raised_hand ✋,ok_hand 👌,pinched_fingers 🤌,victory ✌️,crossed_fingers 🤞,love_you 🤟,metal 🤘,call_me 🤙,point_left 👈,point_right 👉,point_up 👆,point_down 👇,thumbsup 👍,thumbsdown 👎,fist ✊,punch 👊,clap 👏,raised_hands 🙌,open_hands 👐,handshake 🤝,pray 🙏,writing_hand ✍️,muscle 💪,brain 🧠,eyes 👀,shrug 🤷,facepalm 🤦,dog 🐶,cat 🐱,mouse 🐭,fox 🦊,bear 🐻,panda 🐼,koala 🐨,tiger 🐯,lion 🦁,cow 🐮,pig 🐷,frog 🐸,monkey 🐵,chicken 🐔,penguin 🐧,bird 🐦,owl 🦉,unicorn 🦄,bee 🐝,bug 🐛,butterfly 🦋,snail 🐌,turtle 🐢,snake 🐍,octopus 🐙,crab 🦀,fish 🐟,dolphin 🐬,whale 🐳,elephant 🐘,cactus 🌵,evergreen 🌲,tree 🌳,palm 🌴,seedling 🌱,herb 🌿,clover 🍀,maple_leaf 🍁,leaves 🍃,mushroom 🍄,rose 🌹,tulip 🌷,sunflower 🌻,blossom 🌼,apple 🍎,banana 🍌,strawberry 🍓,cherries 🍒,peach 🍑,avocado 🥑,bread 🍞,croissant 🥐,cheese 🧀,egg 🥚,bacon 🥓,pizza 🍕,burger 🍔,fries 🍟,taco 🌮,sushi 🍣,ramen 🍜,cookie 🍪,cake 🎂,doughnut 🍩,chocolate 🍫,coffee ☕,tea 🍵,beer 🍺,beers 🍻,wine 🍷,cocktail 🍸,champagne 🍾,soccer ⚽,basketball 🏀,tennis 🎾,trophy 🏆,medal 🏅,guitar 🎸,microphone 🎤,headphones 🎧,art 🎨,dart 🎯,dice 🎲,game 🎮,car 🚗,bus 🚌,train 🚆,bike 🚲,airplane ✈️,rocket 🚀,ship 🚢,house 🏠,office 🏢,tent ⛺,mountain ⛰️,beach 🏖️,world 🌍,sunrise 🌅,sun ☀️,moon 🌙,star ⭐,sparkles ✨,cloud ☁️,rain 🌧️,snowflake ❄️,snowman ⛄,zap ⚡,fire 🔥,rainbow 🌈,ocean 🌊,umbrella ☔,tada 🎉,confetti 🎊,balloon 🎈,gift 🎁,christmas_tree 🎄,pumpkin 🎃,phone 📱,computer 💻,keyboard ⌨️,printer 🖨️,camera 📷,tv 📺,bulb 💡,flashlight 🔦,money 💰,credit_card 💳,envelope ✉️,mailbox 📫,package 📦,pencil ✏️,memo 📝,book 📖,books 📚,bookmark 🔖,calendar 📅,chart 📈,clipboard 📋,pushpin 📌,paperclip 📎,scissors ✂️,lock 🔒,unlock 🔓,key 🔑,hammer 🔨,wrench 🔧,gear ⚙️,link 🔗,microscope 🔬,telescope 🔭,pill 💊,hourglass ⌛,watch ⌚,alarm ⏰,bell 🔔,no_bell 🔕,warning ⚠️,no_entry ⛔,stop 🛑,check ✅,cross ❌,question ❓,exclamation ❗,plus ➕,minus ➖,recycle ♻️,arrow_up ⬆️,arrow_down ⬇️,arrow_left ⬅️,arrow_right ➡️,flag 🏁,white_flag 🏳️,red_circle 🔴,green_circle 🟢,blue_circle 🔵,yellow_circle 🟡";
const ALL = TABLE.split(",").map((entry) => entry.split(" ") as [string, string]);

/** Those that have a skin tone (Unicode Technical Standard 51, §2.4). */
const TONED = new Set(
  "wave raised_hand ok_hand pinched_fingers victory crossed_fingers love_you metal call_me point_left point_right point_up point_down thumbsup thumbsdown fist punch clap raised_hands open_hands handshake pray writing_hand muscle shrug facepalm".split(" "),
);

function toned(name: string, sign: string, tone: string): string {
  return tone !== "" && TONED.has(name) ? sign.replace("\ufe0f", "") + tone : sign;
}

/** Emoji whose name begins with, or holds, what was written; `tone`: the modifier for hands and people, or nothing. */
export function emoji(query: string, most: number, tone: string): Suggestion[] {
  const begins = ALL.filter(([name]) => name.startsWith(query)).sort(([a], [b]) => a.length - b.length);
  const holds = ALL.filter(([name]) => !name.startsWith(query) && name.includes(query));
  return [...begins, ...holds]
    .slice(0, most)
    .map(([name, plain]) => [name, toned(name, plain, tone)] as const)
    .map(([name, sign]) => ({ sign, label: `:${name}:`, hint: "", insert: sign }));
}
