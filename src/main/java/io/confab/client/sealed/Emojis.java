package io.confab.client.sealed;

import java.util.List;

/// What numbers of six bits look like when people compare them
/// (https://spec.matrix.org/v1.16/client-server-api/#sas-method-emoji).
final class Emojis {
  private static final List<String> ALL =
      """
      🐶 Dog
      🐱 Cat
      🦁 Lion
      🐎 Horse
      🦄 Unicorn
      🐷 Pig
      🐘 Elephant
      🐰 Rabbit
      🐼 Panda
      🐓 Rooster
      🐧 Penguin
      🐢 Turtle
      🐟 Fish
      🐙 Octopus
      🦋 Butterfly
      🌷 Flower
      🌳 Tree
      🌵 Cactus
      🍄 Mushroom
      🌏 Globe
      🌙 Moon
      ☁️ Cloud
      🔥 Fire
      🍌 Banana
      🍎 Apple
      🍓 Strawberry
      🌽 Corn
      🍕 Pizza
      🎂 Cake
      ❤️ Heart
      😀 Smiley
      🤖 Robot
      🎩 Hat
      👓 Glasses
      🔧 Spanner
      🎅 Santa
      👍 Thumbs Up
      ☂️ Umbrella
      ⌛ Hourglass
      ⏰ Clock
      🎁 Gift
      💡 Light Bulb
      📕 Book
      ✏️ Pencil
      📎 Paperclip
      ✂️ Scissors
      🔒 Lock
      🔑 Key
      🔨 Hammer
      ☎️ Telephone
      🏁 Flag
      🚂 Train
      🚲 Bicycle
      ✈️ Aeroplane
      🚀 Rocket
      🏆 Trophy
      ⚽ Ball
      🎸 Guitar
      🎺 Trumpet
      🔔 Bell
      ⚓ Anchor
      🎧 Headphones
      📁 Folder
      📌 Pin
      """
          .lines()
          .toList();

  private Emojis() {}

  static String of(int number) {
    return ALL.get(number);
  }

  static int count() {
    return ALL.size();
  }
}
